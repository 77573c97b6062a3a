package main

import (
	"context"
	"errors"
	"io"
	"log"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/timestamppb"

	trainingv1 "example.com/service-client/gen/aiplatform/training/v1"
)

// report sends the points since the last report, and returns when they are durable. A batch that was sent twice counts
// once: the platform knows it by its counter.
func (t *trainer) report(ctx context.Context) error {
	t.counter++
	batch := &trainingv1.ReportRequest{
		RunId: t.runID, JobName: t.job, AttachmentId: t.attachment,
		Counter: t.counter, SegmentIndex: t.segment,
		Heartbeat: &trainingv1.HeartbeatReport{
			At: timestamppb.Now(), Source: trainingv1.HeartbeatSource_HEARTBEAT_SOURCE_TRAINER,
		},
	}
	if len(t.steps) > 0 {
		batch.Columns = []*trainingv1.MetricColumn{{
			Name: "loss", Steps: t.steps, Values: t.losses, ObservedAtMs: float64(time.Now().UnixMilli()),
		}}
		t.steps, t.losses = nil, nil
	}
	for attempt := 0; ; attempt++ {
		err := t.exchange(ctx, batch)
		if err == nil {
			return nil
		}
		t.reports = nil
		if !retryable(err) {
			return err
		}
		log.Printf("reporting again: %s", explain(err))
		if err := sleep(ctx, backoff(err, attempt)); err != nil {
			return err
		}
	}
}

// exchange sends a batch, and reads answers until one says that it is durable. A faster trainer has several on their way.
func (t *trainer) exchange(ctx context.Context, batch *trainingv1.ReportRequest) (err error) {
	if t.reports == nil {
		if t.reports, err = t.client.Report(ctx); err != nil {
			return err
		}
	}
	// A stream that is broken says why when it is read.
	if err := t.reports.Send(batch); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	for {
		answer, err := t.reports.Recv()
		if errors.Is(err, io.EOF) {
			return status.Error(codes.Unavailable, "the stream of reports has ended")
		}
		if err != nil {
			return err
		}
		if answer.GetDurableCounter() >= batch.GetCounter() {
			return nil
		}
	}
}
