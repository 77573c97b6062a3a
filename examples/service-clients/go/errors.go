package main

import (
	"strings"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/status"
)

// explain says what an error of the platform is about: code, reason, and each field that is wrong. Programs decide by the
// code and the reason; the message is for people.
func explain(err error) string {
	failure := status.Convert(err)
	parts := []string{failure.Code().String()}
	for _, detail := range failure.Details() {
		switch detail := detail.(type) {
		case *errdetails.ErrorInfo:
			parts = append(parts, detail.GetReason())
		case *errdetails.BadRequest:
			for _, violation := range detail.GetFieldViolations() {
				parts = append(parts, violation.GetField()+": "+violation.GetDescription())
			}
		}
	}
	if len(parts) <= 2 {
		parts = append(parts, failure.Message())
	}
	return strings.Join(parts, ", ")
}
