import json
import unittest

import boto3

from support import caught, run, task, unique

secrets = boto3.client("secretsmanager")


class SecretsManager(unittest.TestCase):
    def test_a_secret_is_read(self):
        name = unique("secret")
        arn = secrets.create_secret(Name=name, SecretString='{"key": "v"}')["ARN"]
        read = run(("Read", task("aws-sdk:secretsmanager:getSecretValue", {"SecretId": name})))
        self.assertEqual((read["ARN"], read["Name"], json.loads(read["SecretString"])), (arn, name, {"key": "v"}))
        # Times are text in a state machine, and numbers on the wire.
        self.assertRegex(read["CreatedDate"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d")

    def test_errors_have_the_names_that_aws_gives(self):
        failed = caught("aws-sdk:secretsmanager:getSecretValue", {"SecretId": unique("none")})
        self.assertEqual(failed["Error"], "SecretsManager.ResourceNotFoundException")
        # moto answers 404 where AWS answers 400.
        self.assertRegex(failed["Cause"], r"\(Service: SecretsManager, Status Code: \d+, Request ID: ")
        name = unique("secret")
        secrets.create_secret(Name=name, SecretString="s")
        failed = caught("aws-sdk:secretsmanager:createSecret", {"Name": name, "SecretString": "s"})
        self.assertEqual(failed["Error"], "SecretsManager.ResourceExistsException")
