package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"time"

	"github.com/google/uuid"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/timestamppb"

	trainingv1 "example.com/service-client/gen/aiplatform/training/v1"
)

const (
	stepTime          = 20 * time.Millisecond
	stepsPerReport    = 10
	heartbeatInterval = 10 * time.Second
)

// trainer trains one job, obeys its commands, and reports its loss. Its whole state is a step and a loss.
type trainer struct {
	client                 trainingv1.TrainerServiceClient
	runID, job, attachment string
	directory              string

	attached chan *trainingv1.Attached
	commands chan *trainingv1.CommandDelivery
	reports  trainingv1.TrainerService_ReportClient

	counter, segment, lastSequence uint32
	step                           uint32
	loss                           float64
	steps                          []uint32
	losses                         []float64
	paused, ended                  bool
}

func newTrainer(conn grpc.ClientConnInterface, runID, job, directory string) *trainer {
	return &trainer{
		client: trainingv1.NewTrainerServiceClient(conn),
		runID:  runID, job: job, attachment: uuid.NewString(),
		directory: directory,
		attached:  make(chan *trainingv1.Attached, 1),
		commands:  make(chan *trainingv1.CommandDelivery, 16),
		loss:      1,
	}
}

// run trains until a command ends the job.
func (t *trainer) run(ctx context.Context) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	go func() { stop(t.listen(ctx)) }()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case attached := <-t.attached:
		t.counter, t.segment = attached.GetDurableCounter(), attached.GetActiveSegment()
	}
	for _, state := range []trainingv1.JobState{trainingv1.JobState_JOB_STATE_PREPARING, trainingv1.JobState_JOB_STATE_RUNNING} {
		if err := t.enter(ctx, state); err != nil {
			return err
		}
	}
	for !t.ended {
		if err := t.next(ctx); err != nil {
			return err
		}
	}
	return nil
}

// next obeys a command, or takes a step, or reports that a paused trainer is alive.
func (t *trainer) next(ctx context.Context) error {
	pause := stepTime
	if t.paused {
		pause = heartbeatInterval
	}
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case delivery := <-t.commands:
		return t.obey(ctx, delivery)
	case <-time.After(pause):
	}
	if !t.paused {
		t.step++
		t.loss *= 0.99
		t.steps, t.losses = append(t.steps, t.step), append(t.losses, t.loss)
	}
	if t.paused || t.step%stepsPerReport == 0 {
		return t.report(ctx)
	}
	return nil
}

// listen receives the job's commands. After a lost connection it attaches again: the platform then repeats the commands
// that were not acknowledged.
func (t *trainer) listen(ctx context.Context) error {
	for attempt := 0; ctx.Err() == nil; attempt++ {
		received, err := t.receive(ctx)
		if received {
			attempt = 0
		}
		if err != nil && !retryable(err) {
			return err
		}
		if sleep(ctx, backoff(err, attempt)) == nil {
			log.Printf("attaching again: %s", explain(err))
		}
	}
	return ctx.Err()
}

// receive reads one stream of commands to its end, and reports whether anything came. It ends with UNAVAILABLE where a
// new stream may be opened.
func (t *trainer) receive(ctx context.Context) (received bool, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stream, err := t.client.Attach(ctx, &trainingv1.AttachRequest{
		RunId: t.runID, JobName: t.job, AttachmentId: t.attachment,
	})
	if err != nil {
		return false, err
	}
	for {
		response, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return received, status.Error(codes.Unavailable, "the stream has ended")
		}
		if err != nil {
			return received, err
		}
		received = true
		switch event := response.GetEvent().(type) {
		case *trainingv1.AttachResponse_Attached:
			select {
			case t.attached <- event.Attached:
			default: // Attached before.
			}
		case *trainingv1.AttachResponse_Command:
			t.commands <- event.Command
		case *trainingv1.AttachResponse_Reconnect:
			return received, status.Error(codes.Unavailable, "the replica is stopping")
		case *trainingv1.AttachResponse_Detached:
			return received, errors.New("another process is the job's trainer now")
		}
	}
}

// obey brings about what a command asks for, and acknowledges it afterwards: `applied` is said of effects alone.
func (t *trainer) obey(ctx context.Context, delivery *trainingv1.CommandDelivery) error {
	command := delivery.GetCommand()
	if command.GetSequence() <= t.lastSequence {
		return nil // Delivered again.
	}
	request := &trainingv1.AcknowledgeCommandRequest{
		RunId: t.runID, JobName: t.job, AttachmentId: t.attachment, CommandId: command.GetId(),
	}
	switch command.GetAction() {
	case trainingv1.TrainingControlAction_TRAINING_CONTROL_ACTION_PAUSE:
		applied, err := t.pause(ctx)
		if err != nil {
			return err
		}
		request.Outcome = &trainingv1.AcknowledgeCommandRequest_Applied{Applied: applied}
	case trainingv1.TrainingControlAction_TRAINING_CONTROL_ACTION_FINISH_FROM_CHECKPOINT:
		applied, err := t.finish(ctx, delivery.GetResolvedCheckpointId())
		if err != nil {
			return err
		}
		request.Outcome = &trainingv1.AcknowledgeCommandRequest_Applied{Applied: applied}
	default:
		refused := &trainingv1.Refused{Detail: "this trainer can pause and finish"}
		request.Outcome = &trainingv1.AcknowledgeCommandRequest_Refused{Refused: refused}
	}
	if _, err := within(ctx, request, t.client.AcknowledgeCommand); err != nil {
		return fmt.Errorf("acknowledge: %w", err)
	}
	t.lastSequence = command.GetSequence()
	return nil
}

func (t *trainer) pause(ctx context.Context) (*trainingv1.Applied, error) {
	if err := t.enter(ctx, trainingv1.JobState_JOB_STATE_PAUSING); err != nil {
		return nil, err
	}
	id := uuid.NewString()
	file, err := writeFile(t.directory, id+".checkpoint", fmt.Appendf(nil, `{"step":%d,"loss":%g}`, t.step, t.loss))
	if err != nil {
		return nil, err
	}
	t.paused = true
	checkpoint := &trainingv1.Checkpoint{
		Id: id, Step: t.step, SegmentIndex: t.segment,
		Uri: file.uri, Sha256: file.sha256, SizeBytes: file.size, CreatedAt: timestamppb.Now(),
	}
	return &trainingv1.Applied{CheckpointId: &id, Checkpoint: checkpoint}, t.report(ctx)
}

func (t *trainer) finish(ctx context.Context, checkpointID string) (*trainingv1.Applied, error) {
	if err := t.enter(ctx, trainingv1.JobState_JOB_STATE_FINISHING); err != nil {
		return nil, err
	}
	state, err := readFile(t.directory, checkpointID+".checkpoint")
	if err != nil {
		return nil, err
	}
	file, err := writeFile(t.directory, "model.json", state)
	if err != nil {
		return nil, err
	}
	t.ended = true
	artifact := &trainingv1.Artifact{Uri: file.uri, Sha256: file.sha256, SizeBytes: file.size, Format: "json"}
	return &trainingv1.Applied{CheckpointId: &checkpointID, Artifact: artifact}, nil
}

// enter tells the platform a state that the trainer entered.
func (t *trainer) enter(ctx context.Context, state trainingv1.JobState) error {
	_, err := within(ctx, &trainingv1.ReportJobStateRequest{
		RunId: t.runID, JobName: t.job, AttachmentId: t.attachment, State: state,
	}, t.client.ReportJobState)
	return err
}
