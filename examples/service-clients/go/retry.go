package main

import (
	"context"
	"log"
	"math/rand/v2"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

const (
	minBackoff = 200 * time.Millisecond
	maxBackoff = 5 * time.Second
)

// retry repeats a unary call until its deadline. It is for calls that may be repeated, as all of this program may: each
// has an idempotency key, reads, or is a trainer's.
func retry(ctx context.Context, method string, request, reply any, conn *grpc.ClientConn, invoke grpc.UnaryInvoker, options ...grpc.CallOption) error {
	for attempt := 0; ; attempt++ {
		err := invoke(ctx, method, request, reply, conn, options...)
		if err == nil || !retryable(err) {
			return err
		}
		pause := backoff(err, attempt)
		if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < pause {
			return err
		}
		log.Printf("%s again in %v: %s", method, pause.Round(time.Millisecond), explain(err))
		if sleep(ctx, pause) != nil {
			return err
		}
	}
}

// retryable reports whether the same call may succeed later: the platform is away, or said when to come back.
func retryable(err error) bool {
	return status.Code(err) == codes.Unavailable || requestedDelay(err) > 0
}

// backoff is the pause before the next attempt: random, up to twice as long each time, and no shorter than was asked for.
func backoff(err error, attempt int) time.Duration {
	bound := min(maxBackoff, minBackoff<<min(attempt, 10))
	return requestedDelay(err) + bound/2 + rand.N(bound/2)
}

func requestedDelay(err error) time.Duration {
	for _, detail := range status.Convert(err).Details() {
		if info, ok := detail.(*errdetails.RetryInfo); ok {
			return info.GetRetryDelay().AsDuration()
		}
	}
	return 0
}

func sleep(ctx context.Context, pause time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(pause):
		return nil
	}
}
