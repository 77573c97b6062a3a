package main

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"google.golang.org/grpc"

	trainingv1 "example.com/service-client/gen/aiplatform/training/v1"
)

// provoke makes mistakes, and prints what the platform says of them.
func provoke(ctx context.Context, conn grpc.ClientConnInterface, run *trainingv1.Run) error {
	runs, trainers := trainingv1.NewRunServiceClient(conn), trainingv1.NewTrainerServiceClient(conn)
	mistakes := []struct {
		what string
		call func() error
	}{
		{"an id that is none", func() error {
			_, err := within(ctx, &trainingv1.GetRunRequest{RunId: "x"}, runs.GetRun)
			return err
		}},
		{"an unknown run", func() error {
			_, err := within(ctx, &trainingv1.GetRunRequest{RunId: uuid.NewString()}, runs.GetRun)
			return err
		}},
		{"a trainer that is not attached", func() error {
			_, err := within(ctx, &trainingv1.ReportJobStateRequest{
				RunId: run.GetId(), JobName: job, AttachmentId: uuid.NewString(),
				State: trainingv1.JobState_JOB_STATE_RUNNING,
			}, trainers.ReportJobState)
			return err
		}},
	}
	for _, mistake := range mistakes {
		err := mistake.call()
		if err == nil {
			return fmt.Errorf("%s was accepted", mistake.what)
		}
		fmt.Printf("%s: %s\n", mistake.what, explain(err))
	}
	return nil
}
