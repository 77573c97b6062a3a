"""A gRPC client in Python that knows nothing of the platform but what its services say by reflection.

Prints, as JSON, how each kind of call ended. Arguments: address of a service, address of the gateway, API key, id of a run.
"""

import json
import sys

import grpc
from google.protobuf import descriptor_pool, json_format, message_factory
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase
from grpc_status import rpc_status

address, gateway, api_key, run_id = sys.argv[1:]
authorization = [("authorization", f"Bearer {api_key}"), ("x-request-id", "asked-in-python")]
channel = grpc.insecure_channel(address)
database = ProtoReflectionDescriptorDatabase(channel)
pool = descriptor_pool.DescriptorPool(database)
method = pool.FindServiceByName("aiplatform.training.v1.RunService").FindMethodByName("GetRun")
request_type = message_factory.GetMessageClass(method.input_type)
get_run = channel.unary_unary(
    "/aiplatform.training.v1.RunService/GetRun",
    request_serializer=request_type.SerializeToString,
    response_deserializer=message_factory.GetMessageClass(method.output_type).FromString,
)


def failure(**wish):
    try:
        get_run(request_type(run_id=wish.pop("run_id", run_id)), **{"metadata": authorization, "timeout": 20, **wish})
    except grpc.RpcError as error:
        return error
    raise AssertionError("the call did not fail")


answer, call = get_run.with_call(request_type(run_id=run_id), metadata=authorization, timeout=20)
details = rpc_status.from_call(failure(run_id="x")).details

edge = grpc.insecure_channel(gateway)


def through_gateway(path, **wish):
    call = edge.unary_unary(
        path,
        request_serializer=request_type.SerializeToString,
        response_deserializer=message_factory.GetMessageClass(method.output_type).FromString,
    )
    try:
        return call(request_type(run_id=run_id), timeout=20, **wish)
    except grpc.RpcError as error:
        return error


path = "/aiplatform.training.v1.RunService/GetRun"
through = through_gateway(path, metadata=authorization)
refused = through_gateway(path)
unknown = through_gateway("/aiplatform.unknown.v1.Service/Method", metadata=authorization)

health = health_pb2_grpc.HealthStub(channel)
watch = health.Watch(health_pb2.HealthCheckRequest())
first = next(watch)
watch.cancel()
try:
    next(watch)
    cancelled = "still open"
except grpc.RpcError as error:
    cancelled = error.code().name

print(
    json.dumps(
        {
            "services": list(database.get_services()),
            "run": json_format.MessageToDict(answer)["run"]["id"],
            "request_id": dict(call.initial_metadata())["x-request-id"],
            "through_gateway": json_format.MessageToDict(through)["run"]["id"],
            "refused_by_gateway": refused.code().name,
            "refused_why": [detail.type_url.split("/")[-1] for detail in rpc_status.from_call(refused).details],
            "unknown_to_gateway": unknown.code().name,
            "without_credential": failure(metadata=[]).code().name,
            "too_late": failure(timeout=0.0001).code().name,
            "details": [detail.type_url.split("/")[-1] for detail in details],
            "health": health_pb2.HealthCheckResponse.ServingStatus.Name(health.Check(health_pb2.HealthCheckRequest()).status),
            "watched": health_pb2.HealthCheckResponse.ServingStatus.Name(first.status),
            "cancelled": cancelled,
        }
    )
)
