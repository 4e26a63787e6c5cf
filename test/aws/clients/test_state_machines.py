import json
import unittest

from support import create, definition, ended, role, sfn, start, unique

passing = definition(("Only", {"Type": "Pass", "Result": 1}))
other = definition(("Only", {"Type": "Pass", "Result": 2}))


class StateMachines(unittest.TestCase):
    def test_one_is_created_described_listed_updated_and_deleted(self):
        name = unique("life")
        created = sfn.create_state_machine(name=name, definition=passing, roleArn=role)
        arn = created["stateMachineArn"]
        self.assertEqual(arn, f"arn:aws:states:us-east-1:123456789012:stateMachine:{name}")
        described = sfn.describe_state_machine(stateMachineArn=arn)
        self.assertEqual(
            {field: described[field] for field in ("name", "status", "type", "roleArn", "definition", "creationDate")},
            {
                "name": name,
                "status": "ACTIVE",
                "type": "STANDARD",
                "roleArn": role,
                "definition": passing,
                "creationDate": created["creationDate"],
            },
        )
        listed = sfn.get_paginator("list_state_machines").paginate(PaginationConfig={"PageSize": 1})
        self.assertIn(arn, [each["stateMachineArn"] for page in listed for each in page["stateMachines"]])

        updated = sfn.update_state_machine(stateMachineArn=arn, definition=other)
        self.assertGreaterEqual(updated["updateDate"], created["creationDate"])
        now = sfn.describe_state_machine(stateMachineArn=arn)
        self.assertEqual((now["definition"], now["roleArn"]), (other, role))
        self.assertEqual(now["revisionId"], updated["revisionId"])

        sfn.delete_state_machine(stateMachineArn=arn)
        with self.assertRaises(sfn.exceptions.StateMachineDoesNotExist):
            sfn.describe_state_machine(stateMachineArn=arn)
        with self.assertRaises(sfn.exceptions.StateMachineDoesNotExist):
            sfn.start_execution(stateMachineArn=arn)
        # It deletes what is not there as well.
        sfn.delete_state_machine(stateMachineArn=arn)

    def test_creation_is_idempotent_and_refuses_another_definition(self):
        request = {"name": unique("same"), "definition": passing, "roleArn": role}
        first = sfn.create_state_machine(**request)
        self.assertEqual(sfn.create_state_machine(**request)["stateMachineArn"], first["stateMachineArn"])
        with self.assertRaises(sfn.exceptions.StateMachineAlreadyExists):
            sfn.create_state_machine(**{**request, "definition": other})

    def test_bad_requests_are_refused_by_name(self):
        errors = sfn.exceptions
        with self.assertRaises(errors.InvalidDefinition) as caught:
            create(definition(("Only", {"Type": "Pass", "Next": "Nowhere"})))
        self.assertIn("MISSING_TRANSITION_TARGET", str(caught.exception))
        with self.assertRaises(errors.InvalidDefinition):
            create("{")
        with self.assertRaises(errors.InvalidName):
            sfn.create_state_machine(name="a b", definition=passing, roleArn=role)
        with self.assertRaises(errors.InvalidArn):
            sfn.describe_state_machine(stateMachineArn="not-an-arn")
        with self.assertRaises(errors.InvalidToken):
            sfn.list_state_machines(nextToken="not-a-token")
        with self.assertRaises(errors.StateMachineDoesNotExist):
            sfn.update_state_machine(stateMachineArn=create(passing) + "x", definition=other)
        with self.assertRaises(sfn.exceptions.MissingRequiredParameter):
            sfn.update_state_machine(stateMachineArn=create(passing))

    def test_tags_of_state_machines_and_activities(self):
        machine = create(passing, tags=[{"key": "a", "value": "1"}])
        activity = sfn.create_activity(name=unique("tagged"))["activityArn"]
        for arn in (machine, activity):
            with self.subTest(arn):
                sfn.tag_resource(resourceArn=arn, tags=[{"key": "a", "value": "2"}, {"key": "b", "value": "3"}])
                sfn.untag_resource(resourceArn=arn, tagKeys=["b", "none"])
                tags = sfn.list_tags_for_resource(resourceArn=arn)["tags"]
                self.assertEqual(tags, [{"key": "a", "value": "2"}])
        with self.assertRaises(sfn.exceptions.ResourceNotFound):
            sfn.list_tags_for_resource(resourceArn=machine + "x")


class Versions(unittest.TestCase):
    def test_a_version_keeps_its_definition(self):
        arn = create(passing)
        first = sfn.publish_state_machine_version(stateMachineArn=arn, description="one")
        again = sfn.publish_state_machine_version(stateMachineArn=arn)
        self.assertEqual(again["stateMachineVersionArn"], first["stateMachineVersionArn"])
        updated = sfn.update_state_machine(stateMachineArn=arn, definition=other, publish=True)
        versions = [f"{arn}:1", f"{arn}:2"]
        self.assertEqual([first["stateMachineVersionArn"], updated["stateMachineVersionArn"]], versions)
        described = sfn.describe_state_machine(stateMachineArn=versions[0])
        self.assertEqual((described["definition"], described["description"]), (passing, "one"))
        listed = sfn.list_state_machine_versions(stateMachineArn=arn)["stateMachineVersions"]
        self.assertEqual([each["stateMachineVersionArn"] for each in listed], versions[::-1])
        execution = ended(start(versions[0]))
        self.assertEqual((execution["output"], execution["stateMachineVersionArn"]), ("1", versions[0]))

        with self.assertRaises(sfn.exceptions.ConflictException):
            sfn.publish_state_machine_version(stateMachineArn=arn, revisionId="another")
        sfn.delete_state_machine_version(stateMachineVersionArn=versions[0])
        with self.assertRaises(sfn.exceptions.StateMachineDoesNotExist):
            sfn.describe_state_machine(stateMachineArn=versions[0])


class Aliases(unittest.TestCase):
    def test_an_alias_starts_its_version(self):
        arn = create(passing, publish=True)
        sfn.update_state_machine(stateMachineArn=arn, definition=other, publish=True)

        def routes(version):
            return [{"stateMachineVersionArn": f"{arn}:{version}", "weight": 100}]

        created = sfn.create_state_machine_alias(name="live", description="a", routingConfiguration=routes(1))
        alias = created["stateMachineAliasArn"]
        self.assertEqual(alias, f"{arn}:live")
        first = ended(start(alias))
        self.assertEqual(
            (first["output"], first["stateMachineAliasArn"], first["stateMachineVersionArn"]), ("1", alias, f"{arn}:1")
        )
        sfn.update_state_machine_alias(stateMachineAliasArn=alias, routingConfiguration=routes(2))
        described = sfn.describe_state_machine_alias(stateMachineAliasArn=alias)
        self.assertEqual(
            (described["name"], described["description"], described["routingConfiguration"]), ("live", "a", routes(2))
        )
        self.assertEqual(ended(start(alias))["output"], "2")
        listed = sfn.list_state_machine_aliases(stateMachineArn=arn)["stateMachineAliases"]
        self.assertEqual([each["stateMachineAliasArn"] for each in listed], [alias])
        executions = sfn.list_executions(stateMachineArn=alias)["executions"]
        self.assertEqual([each["stateMachineAliasArn"] for each in executions], [alias, alias])

        with self.assertRaises(sfn.exceptions.ConflictException):
            sfn.delete_state_machine_version(stateMachineVersionArn=f"{arn}:2")
        with self.assertRaises(sfn.exceptions.ConflictException):
            sfn.create_state_machine_alias(name="live", routingConfiguration=routes(1))
        with self.assertRaises(sfn.exceptions.ValidationException):
            sfn.create_state_machine_alias(name="half", routingConfiguration=[{**routes(1)[0], "weight": 50}])
        sfn.delete_state_machine_alias(stateMachineAliasArn=alias)
        with self.assertRaises(sfn.exceptions.ResourceNotFound):
            sfn.describe_state_machine_alias(stateMachineAliasArn=alias)


class Definitions(unittest.TestCase):
    """TestState and ValidateStateMachineDefinition: nothing is created."""

    def test_a_definition_is_validated(self):
        valid = sfn.validate_state_machine_definition(definition=passing)
        self.assertEqual((valid["result"], valid["diagnostics"]), ("OK", []))
        wrong = sfn.validate_state_machine_definition(definition=definition(("A", {"Type": "Pass", "Next": "B"})))
        self.assertEqual(wrong["result"], "FAIL")
        self.assertEqual(wrong["diagnostics"][0]["severity"], "ERROR")
        self.assertEqual(wrong["diagnostics"][0]["code"], "MISSING_TRANSITION_TARGET")

    def test_a_state_runs_alone(self):
        choice = {
            "Type": "Choice",
            "Choices": [{"Variable": "$.n", "NumericGreaterThan": 1, "Next": "Many"}],
            "Default": "Few",
        }
        tested = sfn.test_state(definition=json.dumps(choice), roleArn=role, input='{"n": 2}')
        self.assertEqual((tested["status"], tested["nextState"]), ("SUCCEEDED", "Many"))

        adding = {"Parameters": {"sum.$": "States.MathAdd($.n, 1)"}, "ResultPath": "$.made"}
        state = json.dumps({"Type": "Pass", **adding, "End": True})
        tested = sfn.test_state(definition=state, input='{"n": 2}', inspectionLevel="DEBUG")
        self.assertEqual(json.loads(tested["output"]), {"n": 2, "made": {"sum": 3}})
        self.assertEqual(json.loads(tested["inspectionData"]["afterParameters"]), {"sum": 3})

        failing = {"Type": "Fail", "Error": "E", "Cause": "c"}
        tested = sfn.test_state(definition=json.dumps(failing))
        self.assertEqual((tested["status"], tested["error"], tested["cause"]), ("FAILED", "E", "c"))

        with self.assertRaises(sfn.exceptions.InvalidDefinition):
            sfn.test_state(definition='{"Type": "Pass"}')
        with self.assertRaises(sfn.exceptions.InvalidExecutionInput):
            sfn.test_state(definition=json.dumps(failing), input="{")

    def test_a_task_is_mocked(self):
        state = {
            "Type": "Task",
            "Resource": "arn:aws:states:::dynamodb:getItem",
            "Parameters": {"TableName": "t", "Key": {"id": {"S": "1"}}},
            "ResultSelector": {"n.$": "$.Item.n.N"},
            "Catch": [{"ErrorEquals": ["DynamoDB.ResourceNotFoundException"], "Next": "Missing"}],
            "End": True,
        }
        mock = {"result": json.dumps({"Item": {"n": {"N": "5"}}})}
        tested = sfn.test_state(definition=json.dumps(state), mock=mock)
        self.assertEqual((tested["status"], json.loads(tested["output"])), ("SUCCEEDED", {"n": "5"}))
        mock = {"errorOutput": {"error": "DynamoDB.ResourceNotFoundException", "cause": "gone"}}
        tested = sfn.test_state(definition=json.dumps(state), mock=mock)
        self.assertEqual((tested["status"], tested["nextState"]), ("CAUGHT_ERROR", "Missing"))
