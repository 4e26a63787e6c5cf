import json
import threading
import unittest

import boto3
from botocore.config import Config

from support import create, definition, ended, sfn, start, types, unique, until

# A worker's request stays open for up to a minute.
polling = boto3.client("stepfunctions", config=Config(read_timeout=70))


def machine(activity, **fields):
    return create(definition(("Work", {"Type": "Task", "Resource": activity, **fields})))


class Activities(unittest.TestCase):
    def test_one_is_created_described_listed_and_deleted(self):
        name = unique("a")
        created = sfn.create_activity(name=name)
        arn = created["activityArn"]
        self.assertEqual(arn, f"arn:aws:states:us-east-1:123456789012:activity:{name}")
        self.assertEqual(sfn.create_activity(name=name)["creationDate"], created["creationDate"])
        described = sfn.describe_activity(activityArn=arn)
        self.assertEqual((described["name"], described["creationDate"]), (name, created["creationDate"]))
        pages = sfn.get_paginator("list_activities").paginate(PaginationConfig={"PageSize": 1})
        self.assertIn(arn, [each["activityArn"] for page in pages for each in page["activities"]])
        sfn.delete_activity(activityArn=arn)
        with self.assertRaises(sfn.exceptions.ActivityDoesNotExist):
            sfn.describe_activity(activityArn=arn)
        with self.assertRaises(sfn.exceptions.ActivityDoesNotExist):
            sfn.get_activity_task(activityArn=arn)
        with self.assertRaises(sfn.exceptions.InvalidName):
            sfn.create_activity(name="a b")

    def test_a_worker_takes_tasks_sends_heartbeats_and_answers(self):
        activity = sfn.create_activity(name=unique("a"))["activityArn"]
        seen = []

        def work():
            for _ in range(2):
                job = polling.get_activity_task(activityArn=activity, workerName="python")
                data = json.loads(job["input"])
                seen.append(data)
                polling.send_task_heartbeat(taskToken=job["taskToken"])
                if data["n"] > 0:
                    polling.send_task_success(taskToken=job["taskToken"], output=json.dumps({"twice": data["n"] * 2}))
                else:
                    polling.send_task_failure(taskToken=job["taskToken"], error="TooSmall", cause="not above 0")

        # It asks before there is a task: the request waits for one.
        worker = threading.Thread(target=work, daemon=True)
        worker.start()
        arn = machine(activity, HeartbeatSeconds=60, TimeoutSeconds=120)
        good = ended(start(arn, {"n": 21}))
        self.assertEqual((good["status"], json.loads(good["output"])), ("SUCCEEDED", {"twice": 42}))
        execution = start(arn, {"n": 0})
        bad = ended(execution)
        self.assertEqual((bad["status"], bad["error"], bad["cause"]), ("FAILED", "TooSmall", "not above 0"))
        worker.join(60)
        self.assertEqual(seen, [{"n": 21}, {"n": 0}])
        self.assertEqual(
            types(execution),
            ["ExecutionStarted", "TaskStateEntered", "ActivityScheduled", "ActivityStarted", "ActivityFailed"]
            + ["ExecutionFailed"],
        )
        events = sfn.get_execution_history(executionArn=execution)["events"]
        self.assertEqual(events[3]["activityStartedEventDetails"]["workerName"], "python")

    def test_a_worker_that_sends_no_heartbeat_loses_its_task(self):
        activity = sfn.create_activity(name=unique("a"))["activityArn"]
        execution = start(machine(activity, HeartbeatSeconds=1, TimeoutSeconds=60))
        job = polling.get_activity_task(activityArn=activity)
        described = ended(execution)
        self.assertEqual((described["status"], described["error"]), ("FAILED", "States.Timeout"))
        self.assertIn("ActivityTimedOut", types(execution))
        with self.assertRaises(sfn.exceptions.TaskTimedOut):
            sfn.send_task_heartbeat(taskToken=job["taskToken"])
        with self.assertRaises(sfn.exceptions.TaskTimedOut):
            sfn.send_task_success(taskToken=job["taskToken"], output="{}")


class TaskTokens(unittest.TestCase):
    """Answers to an activity's token; test_messages.py has those that travel through a queue."""

    def setUp(self):
        self.activity = sfn.create_activity(name=unique("a"))["activityArn"]
        self.execution = start(machine(self.activity))
        self.token = polling.get_activity_task(activityArn=self.activity)["taskToken"]

    def test_what_is_no_token_and_what_is_no_output(self):
        errors = sfn.exceptions
        with self.assertRaises(errors.InvalidToken):
            sfn.send_task_success(taskToken="x", output="{}")
        with self.assertRaises(errors.InvalidToken):
            sfn.send_task_failure(taskToken="x")
        with self.assertRaises(errors.InvalidToken):
            sfn.send_task_heartbeat(taskToken="x")
        with self.assertRaises(errors.InvalidOutput):
            sfn.send_task_success(taskToken=self.token, output="{")
        # The task still waits.
        sfn.send_task_success(taskToken=self.token, output='"late"')
        self.assertEqual(ended(self.execution)["output"], '"late"')

    def test_a_second_answer_is_refused(self):
        sfn.send_task_failure(taskToken=self.token)
        with self.assertRaises(sfn.exceptions.TaskTimedOut):
            sfn.send_task_success(taskToken=self.token, output="{}")
        self.assertEqual(ended(self.execution)["status"], "FAILED")

    def test_a_stopped_execution_takes_no_answer(self):
        sfn.stop_execution(executionArn=self.execution)
        until(lambda: sfn.describe_execution(executionArn=self.execution)["status"] == "ABORTED")
        with self.assertRaises(sfn.exceptions.TaskTimedOut):
            sfn.send_task_success(taskToken=self.token, output="{}")
