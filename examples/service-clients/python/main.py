"""A client of the platform: it creates a run, trains it as its trainer, steers it by commands, and provokes a few errors."""

import logging
import os
import sys
import tempfile
import uuid
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from pathlib import Path

import grpc
from aiplatform.training.v1 import (
    control_commands_pb2,
    control_commands_pb2_grpc,
    live_metrics_pb2,
    live_metrics_pb2_grpc,
    runs_pb2,
    runs_pb2_grpc,
    trainers_pb2,
    trainers_pb2_grpc,
)
from connection import connect
from errors import explain
from retry import call
from trainer import Trainer

JOB = "decay"
# Seconds that the platform holds a request until there is something to answer.
WAIT = 20


def create_run(channel: grpc.Channel) -> runs_pb2.Run:
    """Makes a pipeline and a run with one job. Their idempotency keys make both safe to repeat."""
    runs = runs_pb2_grpc.RunServiceStub(channel)
    wanted = runs_pb2.CreatePipelineRequest(name="Service client in Python", idempotency_key=str(uuid.uuid4()))
    pipeline = call(runs.CreatePipeline, wanted).pipeline
    job = runs_pb2.TrainingJob(
        name=JOB, primary_metric="loss", primary_metric_goal=runs_pb2.METRIC_GOAL_MINIMIZE
    )
    request = runs_pb2.CreateRunRequest(
        pipeline_id=pipeline.id, name="First run", jobs=[job], idempotency_key=str(uuid.uuid4())
    )
    return call(runs.CreateRun, request).run


def steer(channel: grpc.Channel, run: runs_pb2.Run) -> None:
    """Waits for the first points, pauses the job, and has it finish from the checkpoint of the pause."""
    first_points(channel, run)
    paused = command(channel, run, action=control_commands_pb2.TRAINING_CONTROL_ACTION_PAUSE)
    print("pause is applied, checkpoint", paused.checkpoint_id)
    finish = control_commands_pb2.TRAINING_CONTROL_ACTION_FINISH_FROM_CHECKPOINT
    command(channel, run, action=finish, checkpoint_id=paused.checkpoint_id)
    print("finish is applied")


def first_points(channel: grpc.Channel, run: runs_pb2.Run) -> None:
    """Returns when the run has live metrics."""
    metrics = live_metrics_pb2_grpc.LiveMetricsServiceStub(channel)
    request = live_metrics_pb2.GetLiveMetricsRequest(pipeline_id=run.pipeline_id, run_id=run.id, wait_seconds=WAIT)
    while not (latest := call(metrics.GetLiveMetrics, request).metrics.metrics):
        pass
    print(f"{latest[0].name} is {latest[0].value:.3f} at step {latest[0].step}")


def command(channel: grpc.Channel, run: runs_pb2.Run, **wanted) -> control_commands_pb2.TrainingControlCommandRead:
    """Sends a command, and returns when its effect is confirmed."""
    commands = control_commands_pb2_grpc.ControlCommandServiceStub(channel)
    job = {"pipeline_id": run.pipeline_id, "run_id": run.id, "job_name": JOB}
    request = control_commands_pb2.CreateTrainingControlCommandRequest(
        **job, **wanted, idempotency_key=str(uuid.uuid4())
    )
    latest = call(commands.CreateTrainingControlCommand, request).command
    while latest.status == control_commands_pb2.TRAINING_CONTROL_COMMAND_STATUS_PENDING:
        look = control_commands_pb2.GetControlCommandRequest(**job, command_id=latest.id, wait_seconds=WAIT)
        latest = call(commands.GetControlCommand, look).command
    if latest.status != control_commands_pb2.TRAINING_CONTROL_COMMAND_STATUS_APPLIED:
        raise RuntimeError(f"the command was rejected: {latest.detail}")
    return latest


def provoke(channel: grpc.Channel, run: runs_pb2.Run) -> None:
    """Makes mistakes, and prints what the platform says of them."""
    runs, trainers = runs_pb2_grpc.RunServiceStub(channel), trainers_pb2_grpc.TrainerServiceStub(channel)
    stranger = trainers_pb2.ReportJobStateRequest(
        run_id=run.id, job_name=JOB, attachment_id=str(uuid.uuid4()), state=runs_pb2.JOB_STATE_RUNNING
    )
    for what, method, request in (
        ("an id that is none", runs.GetRun, runs_pb2.GetRunRequest(run_id="x")),
        ("an unknown run", runs.GetRun, runs_pb2.GetRunRequest(run_id=str(uuid.uuid4()))),
        ("a trainer that is not attached", trainers.ReportJobState, stranger),
    ):
        try:
            call(method, request)
        except grpc.RpcError as error:
            print(f"{what}: {explain(error)}")
        else:
            raise RuntimeError(f"{what} was accepted")


def main() -> None:
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    directory = Path(tempfile.mkdtemp(prefix="service-client-"))
    with ThreadPoolExecutor() as threads, connect(os.environ["GATEWAY"], os.environ["KEY"]) as channel:
        run = create_run(channel)
        print("run", run.id)
        trainer = threads.submit(Trainer(channel, run.id, JOB, directory).run)
        steering = threads.submit(steer, channel, run)
        for ended in wait((trainer, steering), return_when=FIRST_EXCEPTION).done:
            ended.result()
        provoke(channel, run)


if __name__ == "__main__":
    try:
        main()
    except grpc.RpcError as error:
        sys.exit(explain(error))
