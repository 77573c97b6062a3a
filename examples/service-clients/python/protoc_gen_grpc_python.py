"""The plugin for gRPC of grpcio-tools, which has it only inside of its own protoc, as a plugin that buf can run."""

import sys
import tempfile
from pathlib import Path

from google.protobuf.compiler.plugin_pb2 import CodeGeneratorRequest, CodeGeneratorResponse
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from grpc_tools import protoc

request = CodeGeneratorRequest.FromString(sys.stdin.buffer.read())
response = CodeGeneratorResponse(supported_features=CodeGeneratorResponse.FEATURE_PROTO3_OPTIONAL)
with tempfile.TemporaryDirectory() as scratch:
    descriptors = Path(scratch, "descriptors")
    descriptors.write_bytes(FileDescriptorSet(file=request.proto_file).SerializeToString())
    out = Path(scratch, "out")
    out.mkdir()
    options = [f"--descriptor_set_in={descriptors}", f"--grpc_python_out={out}"]
    if protoc.main(["protoc", *options, *request.file_to_generate]) != 0:
        sys.exit("grpcio-tools could not generate the code: see above")
    for path in sorted(out.rglob("*.py")):
        response.file.add(name=path.relative_to(out).as_posix(), content=path.read_text(encoding="utf-8"))
sys.stdout.buffer.write(response.SerializeToString())
