"""S3: objects that states read and write, and distributed maps over what lies there."""

import json
import unittest

import boto3

from support import caught, create, definition, ended, run, sfn, start, task, types, unique

s3 = boto3.client("s3")


def reader(resource, parameters, **config):
    fields = {"ReaderConfig": config} if config else {}
    return {"Resource": f"arn:aws:states:::s3:{resource}", "Parameters": parameters, **fields}


def distributed(items, *states, **more):
    processor = json.loads(definition(*(states or [("Same", {"Type": "Pass"})])))
    processor["ProcessorConfig"] = {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"}
    return {"Type": "Map", "ItemReader": items, "ItemProcessor": processor, **more}


class Bucket(unittest.TestCase):
    def setUp(self):
        self.bucket = unique("bucket")
        s3.create_bucket(Bucket=self.bucket)

    def put(self, key, body, **more):
        s3.put_object(Bucket=self.bucket, Key=key, Body=body.encode(), **more)

    def text(self, key):
        return s3.get_object(Bucket=self.bucket, Key=key)["Body"].read().decode()

    def at(self, **more):
        return {"Bucket": self.bucket, **more}


class Objects(Bucket):
    def test_objects_are_written_read_and_listed(self):
        key = "folder/ä & b+1.json"
        answers = run(
            ("Put", task("aws-sdk:s3:putObject", self.at(Key=key, Body={"n.$": "$.n"}), ResultPath="$.put")),
            ("Get", task("aws-sdk:s3:getObject", self.at(Key=key), ResultPath="$.get")),
            ("List", task("aws-sdk:s3:listObjectsV2", self.at(Prefix="folder/"), ResultPath="$.list")),
            data={"n": 1},
        )
        self.assertEqual(self.text(key), '{"n":1}')
        self.assertEqual(answers["get"]["Body"], '{"n":1}')
        self.assertEqual(answers["put"]["ETag"], answers["get"]["ETag"])
        [listed] = answers["list"]["Contents"]
        self.assertEqual((listed["Key"], listed["Size"], listed["ETag"]), (key, 7, answers["get"]["ETag"]))

    def test_what_is_said_with_an_object_is_kept(self):
        put = self.at(Key="k", Body="text", ContentType="text/markdown", Metadata={"by": "test"})
        run(("Put", task("aws-sdk:s3:putObject", put)))
        head = s3.head_object(Bucket=self.bucket, Key="k")
        self.assertEqual((head["ContentType"], head["Metadata"]), ("text/markdown", {"by": "test"}))

    def test_a_list_goes_on_by_its_token(self):
        for key in ("a/1", "a/2", "b/1"):
            self.put(key, "x")
        first = run(("List", task("aws-sdk:s3:listObjectsV2", self.at(MaxKeys=2))))
        self.assertEqual([each["Key"] for each in first["Contents"]], ["a/1", "a/2"])
        self.assertTrue(first["IsTruncated"])
        token = first["NextContinuationToken"]
        second = run(("List", task("aws-sdk:s3:listObjectsV2", self.at(MaxKeys=2, ContinuationToken=token))))
        self.assertEqual([each["Key"] for each in second["Contents"]], ["b/1"])
        self.assertFalse(second["IsTruncated"])
        folders = run(("List", task("aws-sdk:s3:listObjectsV2", self.at(Delimiter="/"))))
        self.assertEqual([each["Prefix"] for each in folders["CommonPrefixes"]], ["a/", "b/"])
        after = run(("List", task("aws-sdk:s3:listObjectsV2", self.at(StartAfter="a/1"))))
        self.assertEqual([each["Key"] for each in after["Contents"]], ["a/2", "b/1"])

    def test_objects_are_copied_described_and_deleted(self):
        self.put("k", "text")
        copied = run(
            ("Copy", task("aws-sdk:s3:copyObject", self.at(Key="l", CopySource=f"{self.bucket}/k"))),
            ("Head", task("aws-sdk:s3:headObject", self.at(Key="l"))),
        )
        self.assertEqual(copied["ContentLength"], 4)
        run(("Delete", task("aws-sdk:s3:deleteObject", self.at(Key="k"))))
        self.assertEqual([each["Key"] for each in s3.list_objects_v2(Bucket=self.bucket)["Contents"]], ["l"])

    def test_errors_have_the_names_that_aws_gives(self):
        none = {"Bucket": unique("none"), "Key": "k"}
        failed = caught("aws-sdk:s3:getObject", none)
        self.assertEqual(failed["Error"], "S3.NoSuchBucketException")
        self.assertIn("(Service: S3, Status Code: 404, Request ID: ", failed["Cause"])
        failed = caught("aws-sdk:s3:getObject", self.at(Key="none"))
        self.assertEqual(failed["Error"], "S3.NoSuchKeyException")


class DistributedMaps(Bucket):
    def test_rows_of_a_csv_file(self):
        self.put("rows.csv", 'id,name\n1,"a, ""b"""\n2,ü\n')
        items = reader("getObject", self.at(Key="rows.csv"), InputType="CSV", CSVHeaderLocation="FIRST_ROW")
        rows = [{"id": "1", "name": 'a, "b"'}, {"id": "2", "name": "ü"}]
        self.assertEqual(run(("Each", distributed(items))), rows)

    def test_elements_of_a_json_array_and_json_lines(self):
        self.put("list.json", '[1, {"a": 2}]')
        self.assertEqual(
            run(("Each", distributed(reader("getObject", self.at(Key="list.json"), InputType="JSON")))), [1, {"a": 2}]
        )
        self.put("list.jsonl", '{"a": 1}\n{"a": 2}\n{"a": 3}\n')
        items = reader("getObject", self.at(Key="list.jsonl"), InputType="JSONL", MaxItems=2)
        self.assertEqual(run(("Each", distributed(items))), [{"a": 1}, {"a": 2}])

    def test_the_objects_of_a_bucket(self):
        keys = [f"in/{i:02}" for i in range(25)]
        for i, key in enumerate(keys):
            self.put(key, "x" * (i % 3))
        items = reader("listObjectsV2", self.at(Prefix="in/"))
        batches = {"ItemBatcher": {"MaxItemsPerBatch": 20}}
        found = run(("Each", distributed(items, **batches)))
        listed = [each for batch in found for each in batch["Items"]]
        # S3 answers in pages, as small here as real-clients.sh says; the map's items are all of them.
        self.assertEqual([each["Key"] for each in listed], keys)
        self.assertEqual([each["Size"] for each in listed[:3]], [0, 1, 2])

    def test_results_are_written_and_read_back(self):
        self.put("numbers.json", "[1, 2, 3]")
        choice = {
            "Type": "Choice",
            "Choices": [{"Variable": "$", "NumericEquals": 2, "Next": "Bad"}],
            "Default": "Good",
        }
        each = distributed(
            reader("getObject", self.at(Key="numbers.json"), InputType="JSON"),
            ("Odd", choice),
            ("Good", {"Type": "Pass", "End": True}),
            ("Bad", {"Type": "Fail", "Error": "Even", "Cause": "two"}),
            ToleratedFailureCount=1,
            Label="Numbers",
            ResultWriter={"Resource": "arn:aws:states:::s3:putObject", "Parameters": self.at(Prefix="out")},
        )
        execution = start(create(definition(("Each", each))))
        described = ended(execution)
        self.assertEqual(described["status"], "SUCCEEDED", described.get("cause"))
        output = json.loads(described["output"])
        [listed] = sfn.list_map_runs(executionArn=execution)["mapRuns"]
        self.assertEqual(output["MapRunArn"], listed["mapRunArn"])
        details = output["ResultWriterDetails"]
        manifest = json.loads(self.text(details["Key"]))
        self.assertEqual((details["Bucket"], manifest["DestinationBucket"]), (self.bucket, self.bucket))
        [succeeded], [failed] = manifest["ResultFiles"]["SUCCEEDED"], manifest["ResultFiles"]["FAILED"]
        self.assertEqual([each["Output"] for each in json.loads(self.text(succeeded["Key"]))], ["1", "3"])
        [bad] = json.loads(self.text(failed["Key"]))
        self.assertEqual((bad["Input"], bad["Error"], bad["Cause"]), ("2", "Even", "two"))

        run_ = sfn.describe_map_run(mapRunArn=listed["mapRunArn"])
        self.assertEqual((run_["status"], run_["executionArn"]), ("SUCCEEDED", execution))
        counts = run_["itemCounts"]
        self.assertEqual([counts[name] for name in ("total", "succeeded", "failed", "resultsWritten")], [3, 2, 1, 3])
        self.assertIn("MapRunSucceeded", types(execution))

    def test_limits_of_a_run_are_changed_while_it_runs(self):
        self.put("numbers.json", "[1, 2]")
        items = reader("getObject", self.at(Key="numbers.json"), InputType="JSON")
        activity = sfn.create_activity(name=unique("a"))["activityArn"]
        each = distributed(items, ("Work", {"Type": "Task", "Resource": activity}), MaxConcurrency=1)
        execution = start(create(definition(("Each", each))))
        first = sfn.get_activity_task(activityArn=activity)
        [listed] = sfn.list_map_runs(executionArn=execution)["mapRuns"]
        arn = listed["mapRunArn"]
        sfn.update_map_run(mapRunArn=arn, maxConcurrency=2, toleratedFailureCount=1)
        described = sfn.describe_map_run(mapRunArn=arn)
        self.assertEqual(
            [described[name] for name in ("status", "maxConcurrency", "toleratedFailureCount")], ["RUNNING", 2, 1]
        )
        # The second item runs beside the first one now.
        second = sfn.get_activity_task(activityArn=activity)
        sfn.send_task_failure(taskToken=first["taskToken"])
        sfn.send_task_success(taskToken=second["taskToken"], output="2")
        self.assertEqual(ended(execution)["status"], "SUCCEEDED")
        with self.assertRaises(sfn.exceptions.ValidationException):
            sfn.update_map_run(mapRunArn=arn)
        with self.assertRaises(sfn.exceptions.ResourceNotFound):
            sfn.describe_map_run(mapRunArn=arn[:-12] + "f" * 12)

    def test_an_object_or_a_bucket_that_is_not_there_fails_the_run(self):
        for parameters in (self.at(Key="none"), {"Bucket": unique("none"), "Key": "k"}):
            with self.subTest(parameters):
                each = distributed(reader("getObject", parameters, InputType="JSON"))
                execution = start(create(definition(("Each", each))))
                failed = ended(execution)
                self.assertEqual((failed["status"], failed["error"]), ("FAILED", "States.ItemReaderFailed"))
                self.assertIn("MapRunFailed", types(execution))
        self.put("numbers.json", "[1]")
        each = distributed(
            reader("getObject", self.at(Key="numbers.json"), InputType="JSON"),
            ResultWriter={"Resource": "arn:aws:states:::s3:putObject", "Parameters": {"Bucket": unique("none")}},
        )
        failed = ended(start(create(definition(("Each", each)))))
        self.assertEqual((failed["status"], failed["error"]), ("FAILED", "States.ResultWriterFailed"))
