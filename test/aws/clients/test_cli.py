"""The AWS CLI, as a script would use it: commands, exit codes and what they print."""

import json
import os
import subprocess
import tempfile
import unittest

from support import definition, role, unique, until

passing = definition(("Only", {"Type": "Pass"}))


def aws(*command):
    return subprocess.run(["aws", "stepfunctions", *command], capture_output=True, text=True, timeout=120)


class CLI(unittest.TestCase):
    def ok(self, *command):
        """What the command prints, which has to succeed."""
        done = aws(*command)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.strip()

    def refused(self, code, *command):
        done = aws(*command)
        self.assertEqual((done.returncode, done.stdout), (code, ""))
        return done.stderr.strip()

    def created(self, text, kind="STANDARD"):
        """Creates a state machine from a file, as people do, and returns its ARN."""
        with tempfile.NamedTemporaryFile("w", suffix=".asl.json", delete=False) as file:
            file.write(text)
        self.addCleanup(os.unlink, file.name)
        return self.ok(
            "create-state-machine", "--name", unique("cli"), "--role-arn", role, "--type", kind,
            "--definition", f"file://{file.name}", "--query", "stateMachineArn", "--output", "text",
        )  # fmt: skip

    def test_a_script_creates_starts_waits_and_reads(self):
        arn = self.created(definition(("Sleep", {"Type": "Wait", "Seconds": 1}), ("Done", {"Type": "Pass"})))
        started = json.loads(self.ok("start-execution", "--state-machine-arn", arn, "--input", '{"n": "ü"}'))
        execution = started["executionArn"]

        def status():
            return self.ok("describe-execution", "--execution-arn", execution, "--query", "status", "--output", "text")

        until(lambda: status() != "RUNNING")
        described = json.loads(self.ok("describe-execution", "--execution-arn", execution))
        self.assertEqual((described["status"], json.loads(described["output"])), ("SUCCEEDED", {"n": "ü"}))
        # The CLI asks for the next page until there is none.
        history = self.ok(
            "get-execution-history", "--execution-arn", execution, "--page-size", "2",
            "--query", "events[].type", "--output", "json",
        )  # fmt: skip
        self.assertEqual(
            json.loads(history),
            ["ExecutionStarted", "WaitStateEntered", "WaitStateExited", "PassStateEntered", "PassStateExited"]
            + ["ExecutionSucceeded"],
        )
        names = self.ok(
            "list-executions", "--state-machine-arn", arn, "--status-filter", "SUCCEEDED",
            "--query", "executions[].executionArn", "--output", "text",
        )  # fmt: skip
        self.assertEqual(names, execution)
        self.assertEqual(self.ok("delete-state-machine", "--state-machine-arn", arn), "")

    def test_an_express_execution_and_a_state_alone(self):
        arn = self.created(passing, "EXPRESS")
        output = self.ok(
            "start-sync-execution", "--state-machine-arn", arn, "--input", '{"a": 1}', "--query", "output",
            "--output", "text",
        )  # fmt: skip
        self.assertEqual(json.loads(output), {"a": 1})
        state = '{"Type": "Pass", "Result": {"b": 2}, "End": true}'
        tested = json.loads(self.ok("test-state", "--definition", state, "--role-arn", role))
        self.assertEqual((tested["status"], json.loads(tested["output"])), ("SUCCEEDED", {"b": 2}))

    def test_errors_end_it_with_a_code_and_say_which(self):
        none = "arn:aws:states:us-east-1:123456789012:execution:none:none"
        said = self.refused(255, "describe-execution", "--execution-arn", none)
        self.assertIn(
            "An error occurred (ExecutionDoesNotExist) when calling the DescribeExecution operation: "
            f"Execution Does Not Exist: '{none}'",
            said,
        )
        said = self.refused(
            255, "create-state-machine", "--name", unique("cli"), "--role-arn", role, "--definition", "{}"
        )
        self.assertIn("An error occurred (InvalidDefinition) when calling the CreateStateMachine operation: ", said)
        # What the CLI itself refuses does not reach the engine.
        self.assertIn("--state-machine-arn", self.refused(2, "start-execution"))
