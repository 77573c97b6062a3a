package main

import (
	"context"
	"time"

	"google.golang.org/grpc"
)

// callTimeout bounds a call with all its attempts. The platform learns it, and stops working on a call that is over.
const callTimeout = 30 * time.Second

// within makes a unary call that ends after callTimeout.
func within[Request, Response any](ctx context.Context, request *Request, call func(context.Context, *Request, ...grpc.CallOption) (*Response, error)) (*Response, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	return call(ctx, request)
}
