// A client of the platform: it creates a run, trains it as its trainer, steers it by commands, and provokes a few errors.
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	trainingv1 "example.com/service-client/gen/aiplatform/training/v1"
)

const job = "decay"

func main() {
	if err := tell(context.Background()); err != nil {
		log.Fatal(explain(err))
	}
}

func tell(ctx context.Context) error {
	conn, err := connect(os.Getenv("GATEWAY"), os.Getenv("KEY"))
	if err != nil {
		return err
	}
	defer conn.Close()
	directory, err := os.MkdirTemp("", "service-client-")
	if err != nil {
		return err
	}
	run, err := createRun(ctx, trainingv1.NewRunServiceClient(conn))
	if err != nil {
		return err
	}
	fmt.Println("run", run.GetId())

	both, ctx := errgroup.WithContext(ctx)
	both.Go(func() error { return newTrainer(conn, run.GetId(), job, directory).run(ctx) })
	both.Go(func() error { return steer(ctx, conn, run) })
	if err := both.Wait(); err != nil {
		return err
	}
	return provoke(context.Background(), conn, run)
}

// createRun makes a pipeline and a run with one job. Their idempotency keys make both safe to repeat.
func createRun(ctx context.Context, runs trainingv1.RunServiceClient) (*trainingv1.Run, error) {
	pipeline, err := within(ctx, &trainingv1.CreatePipelineRequest{
		Name: "Service client in Go", IdempotencyKey: uuid.NewString(),
	}, runs.CreatePipeline)
	if err != nil {
		return nil, err
	}
	created, err := within(ctx, &trainingv1.CreateRunRequest{
		PipelineId: pipeline.GetPipeline().GetId(),
		Name:       "First run",
		Jobs: []*trainingv1.TrainingJob{{
			Name: job, PrimaryMetric: "loss", PrimaryMetricGoal: trainingv1.MetricGoal_METRIC_GOAL_MINIMIZE,
		}},
		IdempotencyKey: uuid.NewString(),
	}, runs.CreateRun)
	return created.GetRun(), err
}
