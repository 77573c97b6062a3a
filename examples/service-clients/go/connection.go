package main

import (
	"cmp"
	"context"
	"crypto/tls"
	"net"
	"net/url"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"
)

// connect opens a connection to the gateway: http:// without TLS, https:// with it. Every call carries the API key.
func connect(gateway, key string) (*grpc.ClientConn, error) {
	address, err := url.Parse(gateway)
	if err != nil {
		return nil, err
	}
	secure := address.Scheme == "https"
	port, transport := "80", insecure.NewCredentials()
	if secure {
		port, transport = "443", credentials.NewTLS(&tls.Config{})
	}
	return grpc.NewClient(
		net.JoinHostPort(address.Hostname(), cmp.Or(address.Port(), port)),
		grpc.WithTransportCredentials(transport),
		grpc.WithPerRPCCredentials(apiKey{key, secure}),
		grpc.WithUnaryInterceptor(retry),
		// Notices a connection that is lost without a word. A stream of the platform says something every ten seconds.
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: 20 * time.Second, Timeout: 10 * time.Second}),
	)
}

type apiKey struct {
	key    string
	secure bool
}

func (k apiKey) GetRequestMetadata(context.Context, ...string) (map[string]string, error) {
	return map[string]string{"authorization": "Bearer " + k.key}, nil
}

func (k apiKey) RequireTransportSecurity() bool { return k.secure }
