package main

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"google.golang.org/grpc"

	trainingv1 "example.com/service-client/gen/aiplatform/training/v1"
)

// Seconds that the platform holds a request until there is something to answer.
const waitSeconds = 20

// steer waits for the first points, pauses the job, and has it finish from the checkpoint of the pause.
func steer(ctx context.Context, conn grpc.ClientConnInterface, run *trainingv1.Run) error {
	if err := firstPoints(ctx, trainingv1.NewLiveMetricsServiceClient(conn), run); err != nil {
		return err
	}
	commands := trainingv1.NewControlCommandServiceClient(conn)
	paused, err := command(ctx, commands, run, &trainingv1.CreateTrainingControlCommandRequest{
		Action: trainingv1.TrainingControlAction_TRAINING_CONTROL_ACTION_PAUSE,
	})
	if err != nil {
		return err
	}
	fmt.Println("pause is applied, checkpoint", paused.GetCheckpointId())
	_, err = command(ctx, commands, run, &trainingv1.CreateTrainingControlCommandRequest{
		Action:       trainingv1.TrainingControlAction_TRAINING_CONTROL_ACTION_FINISH_FROM_CHECKPOINT,
		CheckpointId: paused.CheckpointId,
	})
	if err != nil {
		return err
	}
	fmt.Println("finish is applied")
	return nil
}

// command sends a command, and returns when its effect is confirmed.
func command(ctx context.Context, commands trainingv1.ControlCommandServiceClient, run *trainingv1.Run, request *trainingv1.CreateTrainingControlCommandRequest) (*trainingv1.TrainingControlCommandRead, error) {
	request.PipelineId, request.RunId, request.JobName = run.GetPipelineId(), run.GetId(), job
	request.IdempotencyKey = uuid.NewString()
	created, err := within(ctx, request, commands.CreateTrainingControlCommand)
	if err != nil {
		return nil, err
	}
	latest := created.GetCommand()
	for latest.GetStatus() == trainingv1.TrainingControlCommandStatus_TRAINING_CONTROL_COMMAND_STATUS_PENDING {
		wait := int32(waitSeconds)
		answer, err := within(ctx, &trainingv1.GetControlCommandRequest{
			PipelineId: run.GetPipelineId(), RunId: run.GetId(), JobName: job, CommandId: latest.GetId(), WaitSeconds: &wait,
		}, commands.GetControlCommand)
		if err != nil {
			return nil, err
		}
		latest = answer.GetCommand()
	}
	if latest.GetStatus() != trainingv1.TrainingControlCommandStatus_TRAINING_CONTROL_COMMAND_STATUS_APPLIED {
		return nil, fmt.Errorf("%v was rejected: %s", latest.GetAction(), latest.GetDetail())
	}
	return latest, nil
}

// firstPoints returns when the run has live metrics.
func firstPoints(ctx context.Context, metrics trainingv1.LiveMetricsServiceClient, run *trainingv1.Run) error {
	for {
		answer, err := within(ctx, &trainingv1.GetLiveMetricsRequest{
			PipelineId: run.GetPipelineId(), RunId: run.GetId(), WaitSeconds: waitSeconds,
		}, metrics.GetLiveMetrics)
		if err != nil {
			return err
		}
		for _, latest := range answer.GetMetrics().GetMetrics() {
			fmt.Printf("%s is %.3f at step %d\n", latest.GetName(), latest.GetValue(), latest.GetStep())
			return nil
		}
	}
}
