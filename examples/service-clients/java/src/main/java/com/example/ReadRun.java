package com.example;

import com.example.aiplatform.training.v1.GetRunRequest;
import com.example.aiplatform.training.v1.RunServiceGrpc;
import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import io.grpc.Channel;
import io.grpc.ChannelCredentials;
import io.grpc.ClientInterceptors;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import io.grpc.TlsChannelCredentials;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.MetadataUtils;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Reads the run that RUN names, through the gateway. */
public final class ReadRun {
  public static void main(String[] args) throws InvalidProtocolBufferException {
    ManagedChannel connection = connect(URI.create(System.getenv("GATEWAY")));
    Metadata headers = new Metadata();
    headers.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + System.getenv("KEY"));
    Channel channel = ClientInterceptors.intercept(connection, MetadataUtils.newAttachHeadersInterceptor(headers));
    try {
      var runs = RunServiceGrpc.newBlockingStub(channel).withDeadlineAfter(30, TimeUnit.SECONDS);
      var answer = runs.getRun(GetRunRequest.newBuilder().setRunId(System.getenv("RUN")).build());
      System.out.println("run " + answer.getRun().getId());
    } catch (StatusRuntimeException error) {
      System.out.println(explain(error));
    } finally {
      connection.shutdownNow();
    }
  }

  /** Opens a connection: http:// without TLS, https:// with it. */
  private static ManagedChannel connect(URI gateway) {
    boolean secure = gateway.getScheme().equals("https");
    int port = gateway.getPort() != -1 ? gateway.getPort() : secure ? 443 : 80;
    ChannelCredentials credentials = secure ? TlsChannelCredentials.create() : InsecureChannelCredentials.create();
    return Grpc.newChannelBuilderForAddress(gateway.getHost(), port, credentials).build();
  }

  /** Code, reason, and each field that is wrong. */
  private static String explain(StatusRuntimeException error) throws InvalidProtocolBufferException {
    List<String> parts = new ArrayList<>(List.of(error.getStatus().getCode().name()));
    var status = StatusProto.fromThrowable(error);
    for (Any detail : status == null ? List.<Any>of() : status.getDetailsList()) {
      if (detail.is(ErrorInfo.class)) parts.add(detail.unpack(ErrorInfo.class).getReason());
      if (detail.is(BadRequest.class)) {
        for (var violation : detail.unpack(BadRequest.class).getFieldViolationsList()) {
          parts.add(violation.getField() + ": " + violation.getDescription());
        }
      }
    }
    if (parts.size() <= 2) parts.add(error.getStatus().getDescription());
    return String.join(", ", parts);
  }
}
