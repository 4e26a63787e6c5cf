import json
import unittest
from datetime import datetime, timezone

from botocore.exceptions import ClientError
from support import create, definition, ended, role, sfn, start, types, unique

passing = definition(("Only", {"Type": "Pass"}))
sleeping = definition(("Sleep", {"Type": "Wait", "Seconds": 3600}))


class Executions(unittest.TestCase):
    def test_one_is_started_described_and_read(self):
        arn = create(passing)
        started = sfn.start_execution(stateMachineArn=arn, name="first", input='{"a": "ä"}')
        execution = started["executionArn"]
        self.assertEqual(execution, f"{arn.replace(':stateMachine:', ':execution:')}:first")
        described = ended(execution)
        self.assertEqual(
            {field: described[field] for field in ("status", "name", "stateMachineArn", "input", "redriveStatus")},
            {
                "status": "SUCCEEDED",
                "name": "first",
                "stateMachineArn": arn,
                "input": '{"a": "ä"}',
                "redriveStatus": "NOT_REDRIVABLE",
            },
        )
        self.assertEqual(json.loads(described["output"]), {"a": "ä"})
        self.assertEqual(described["startDate"], started["startDate"])
        self.assertLess(abs((described["stopDate"] - datetime.now(timezone.utc)).total_seconds()), 600)
        self.assertEqual(sfn.describe_state_machine_for_execution(executionArn=execution)["definition"], passing)
        bare = sfn.describe_execution(executionArn=execution, includedData="METADATA_ONLY")
        self.assertFalse({"input", "output"} & bare.keys())

    def test_its_history_has_pages_both_ways_and_may_leave_data_out(self):
        states = [(f"S{i}", {"Type": "Pass"}) for i in range(5)]
        execution = start(create(definition(*states)), {"secret": 1})
        ended(execution)
        all_types = ["ExecutionStarted", *["PassStateEntered", "PassStateExited"] * 5, "ExecutionSucceeded"]
        self.assertEqual(types(execution, PaginationConfig={"PageSize": 5}), all_types)
        self.assertEqual(types(execution, reverseOrder=True, PaginationConfig={"PageSize": 7}), all_types[::-1])
        events = sfn.get_execution_history(executionArn=execution)["events"]
        self.assertEqual([event["id"] for event in events], list(range(1, 13)))
        self.assertEqual(events[0]["executionStartedEventDetails"]["roleArn"], role)
        self.assertEqual(events[1]["stateEnteredEventDetails"]["name"], "S0")
        bare = sfn.get_execution_history(executionArn=execution, includeExecutionData=False)
        self.assertNotIn("secret", str(bare["events"]))

    def test_names_are_taken_once(self):
        arn = create(sleeping)
        first = sfn.start_execution(stateMachineArn=arn, name="n", input="{}")
        again = sfn.start_execution(stateMachineArn=arn, name="n", input="{}")
        self.assertEqual((again["executionArn"], again["startDate"]), (first["executionArn"], first["startDate"]))
        with self.assertRaises(sfn.exceptions.ExecutionAlreadyExists):
            sfn.start_execution(stateMachineArn=arn, name="n", input='{"other": 1}')
        sfn.stop_execution(executionArn=first["executionArn"])
        with self.assertRaises(sfn.exceptions.ExecutionAlreadyExists):
            sfn.start_execution(stateMachineArn=arn, name="n", input="{}")

    def test_one_is_stopped(self):
        execution = start(create(sleeping))
        stopped = sfn.stop_execution(executionArn=execution, error="Enough", cause="why")
        described = ended(execution)
        self.assertEqual(
            (described["status"], described["error"], described["cause"], described["stopDate"]),
            ("ABORTED", "Enough", "why", stopped["stopDate"]),
        )
        self.assertEqual(types(execution), ["ExecutionStarted", "WaitStateEntered", "ExecutionAborted"])
        # A second time changes nothing.
        self.assertEqual(sfn.stop_execution(executionArn=execution)["stopDate"], stopped["stopDate"])

    def test_they_are_listed_newest_first_by_status_and_in_pages(self):
        arn = create(sleeping)
        arns = [start(arn, name=f"n{i}") for i in range(3)]
        sfn.stop_execution(executionArn=arns[1])

        def listed(**more):
            pages = sfn.get_paginator("list_executions").paginate(
                stateMachineArn=arn, PaginationConfig={"PageSize": 2}, **more
            )
            return [each["name"] for page in pages for each in page["executions"]]

        self.assertEqual(listed(), ["n2", "n1", "n0"])
        self.assertEqual(listed(statusFilter="RUNNING"), ["n2", "n0"])
        self.assertEqual(listed(statusFilter="ABORTED"), ["n1"])

    def test_a_failed_one_is_redriven_from_where_it_failed(self):
        # It fails as long as the state machine that it starts is not there.
        name = unique("late")
        child = f"arn:aws:states:us-east-1:123456789012:stateMachine:{name}"
        execution = start(
            create(
                definition(
                    ("Before", {"Type": "Pass"}),
                    (
                        "Start",
                        {
                            "Type": "Task",
                            "Resource": "arn:aws:states:::states:startExecution.sync:2",
                            "Parameters": {"StateMachineArn": child, "Input": {"n": 1}},
                            "OutputPath": "$.Output",
                        },
                    ),
                )
            )
        )
        failed = ended(execution)
        self.assertEqual((failed["status"], failed["redriveStatus"]), ("FAILED", "REDRIVABLE"))
        self.assertEqual(failed["error"], "StepFunctions.StateMachineDoesNotExistException")
        sfn.create_state_machine(name=name, definition=passing, roleArn=role)
        redriven = sfn.redrive_execution(executionArn=execution)
        described = ended(execution)
        self.assertEqual((described["status"], described["redriveCount"]), ("SUCCEEDED", 1))
        self.assertEqual(described["redriveDate"], redriven["redriveDate"])
        self.assertEqual(json.loads(described["output"])["n"], 1)
        history = types(execution)
        self.assertEqual((history.count("PassStateEntered"), history.count("ExecutionRedriven")), (1, 1))
        with self.assertRaises(sfn.exceptions.ExecutionNotRedrivable):
            sfn.redrive_execution(executionArn=execution)

    def test_bad_requests_are_refused_by_name(self):
        errors = sfn.exceptions
        arn = create(passing)
        none = f"{arn.replace(':stateMachine:', ':execution:')}:none"
        for action in (
            sfn.describe_execution,
            sfn.get_execution_history,
            sfn.stop_execution,
            sfn.redrive_execution,
            sfn.describe_state_machine_for_execution,
            sfn.list_map_runs,
        ):
            with self.subTest(action.__name__), self.assertRaises(errors.ExecutionDoesNotExist):
                action(executionArn=none)
        with self.assertRaises(errors.InvalidExecutionInput):
            sfn.start_execution(stateMachineArn=arn, input="{")
        with self.assertRaises(errors.InvalidName):
            sfn.start_execution(stateMachineArn=arn, name="a/b")
        with self.assertRaises(errors.InvalidArn):
            sfn.start_execution(stateMachineArn="arn:aws:sqs:us-east-1:123456789012:q")
        with self.assertRaises(errors.InvalidArn):
            sfn.describe_execution(executionArn=arn)
        with self.assertRaises(errors.StateMachineDoesNotExist):
            sfn.list_executions(stateMachineArn=arn + "x")
        with self.assertRaises(errors.InvalidToken):
            sfn.list_executions(stateMachineArn=arn, nextToken="x")
        with self.assertRaises(errors.StateMachineTypeNotSupported):
            sfn.list_executions(stateMachineArn=create(passing, "EXPRESS"))
        with self.assertRaisesRegex(ClientError, "ValidationException"):
            sfn.list_executions(stateMachineArn=arn, statusFilter="LOST")


class ExpressExecutions(unittest.TestCase):
    def test_the_caller_waits_for_the_end(self):
        arn = create(definition(("Only", {"Type": "Pass"})), "EXPRESS")
        answer = sfn.start_sync_execution(stateMachineArn=arn, name="n", input='{"a": 1}')
        self.assertEqual((answer["status"], json.loads(answer["output"])), ("SUCCEEDED", {"a": 1}))
        self.assertEqual(answer["stateMachineArn"], arn)
        self.assertGreater(answer["billingDetails"]["billedDurationInMilliseconds"], 0)
        failing = create(definition(("Only", {"Type": "Fail", "Error": "E", "Cause": "c"})), "EXPRESS")
        answer = sfn.start_sync_execution(stateMachineArn=failing)
        self.assertEqual((answer["status"], answer["error"], answer["cause"]), ("FAILED", "E", "c"))
        with self.assertRaises(sfn.exceptions.StateMachineTypeNotSupported):
            sfn.start_sync_execution(stateMachineArn=create(passing))
        with self.assertRaises(sfn.exceptions.StateMachineDoesNotExist):
            sfn.start_sync_execution(stateMachineArn=arn + "x")

    def test_the_caller_does_not_wait(self):
        arn = create(passing, "EXPRESS")
        self.assertIn(":express:", sfn.start_execution(stateMachineArn=arn)["executionArn"])
