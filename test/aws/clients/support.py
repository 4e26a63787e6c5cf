"""What the tests share: boto3's clients, state machines to start, and waiting for the thing itself."""

import json
import time
import uuid

import boto3

# Both servers are found by AWS_ENDPOINT_URL and AWS_ENDPOINT_URL_SFN: nothing here differs from a program on AWS.
sfn = boto3.client("stepfunctions")
role = "arn:aws:iam::123456789012:role/machine"
# How long something may take on a busy machine, in seconds. What takes longer never happens.
patience = 60


def unique(word):
    return f"{word}-{uuid.uuid4().hex[:8]}"


def definition(*states, **fields):
    """One state after another, each as a pair of its name and its fields. The last one ends."""
    linked = {}
    for index, (name, state) in enumerate(states):
        ends = state["Type"] in ("Choice", "Fail", "Succeed") or "Next" in state or "End" in state
        following = {"Next": states[index + 1][0]} if index + 1 < len(states) else {"End": True}
        linked[name] = state if ends else {**state, **following}
    return json.dumps({"StartAt": states[0][0], "States": linked, **fields})


def create(text, kind="STANDARD", **more):
    """Creates a state machine with a name of its own, and returns its ARN."""
    created = sfn.create_state_machine(name=unique("m"), definition=text, roleArn=role, type=kind, **more)
    return created["stateMachineArn"]


def start(arn, data=None, **more):
    return sfn.start_execution(stateMachineArn=arn, input=json.dumps(data or {}), **more)["executionArn"]


def until(look):
    """Asks until the answer is something."""
    end = time.monotonic() + patience
    while not (found := look()):
        if time.monotonic() > end:
            raise AssertionError(f"nothing within {patience} seconds")
        time.sleep(0.05)
    return found


def ended(execution):
    """The execution's description, when it does not run any more."""

    def look():
        described = sfn.describe_execution(executionArn=execution)
        return described if described["status"] != "RUNNING" else None

    return until(look)


def run(*states, data=None):
    """Runs the states once, and returns the output."""
    described = ended(start(create(definition(*states)), data))
    if described["status"] != "SUCCEEDED":
        raise AssertionError(f"{described['status']}: {described.get('error')}: {described.get('cause')}")
    return json.loads(described["output"])


def task(resource, parameters, **fields):
    return {"Type": "Task", "Resource": f"arn:aws:states:::{resource}", "Parameters": parameters, **fields}


def caught(resource, parameters):
    """The error that the task ends with, as a Catch sees it."""
    catch = [{"ErrorEquals": ["States.ALL"], "Next": "Caught"}]
    return run(
        ("Call", {**task(resource, parameters, Catch=catch), "Next": "Done"}),
        ("Done", {"Type": "Pass", "Result": {"Error": None}, "End": True}),
        ("Caught", {"Type": "Pass", "End": True}),
    )


def types(execution, **more):
    """The types of the execution's events, page by page."""
    pages = sfn.get_paginator("get_execution_history").paginate(executionArn=execution, **more)
    return [event["type"] for page in pages for event in page["events"]]
