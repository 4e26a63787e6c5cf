"""SQS, SNS and EventBridge: what a state sends arrives in a queue, which boto3 reads."""

import json
import unittest

import boto3

from support import caught, create, definition, ended, run, sfn, start, task, types, unique, until

sqs = boto3.client("sqs")
sns = boto3.client("sns")
events = boto3.client("events")


class Queue:
    def __init__(self, **attributes):
        self.name = unique("q") + (".fifo" if attributes.get("FifoQueue") else "")
        self.url = sqs.create_queue(QueueName=self.name, Attributes=attributes)["QueueUrl"]
        found = sqs.get_queue_attributes(QueueUrl=self.url, AttributeNames=["QueueArn"])
        self.arn = found["Attributes"]["QueueArn"]

    def message(self):
        def look():
            answer = sqs.receive_message(
                QueueUrl=self.url, WaitTimeSeconds=1, MessageAttributeNames=["All"], AttributeNames=["All"]
            )
            return answer.get("Messages")

        [message] = until(look)
        sqs.delete_message(QueueUrl=self.url, ReceiptHandle=message["ReceiptHandle"])
        return message


class SQS(unittest.TestCase):
    def test_a_message_is_sent(self):
        queue = Queue()
        parameters = {
            "QueueUrl": queue.url,
            "MessageBody": {"said.$": "$.text"},
            "MessageAttributes": {"kind": {"DataType": "String", "StringValue": "test"}},
        }
        sent = run(("Send", task("sqs:sendMessage", parameters)), data={"text": "Grüße & <b>"})
        message = queue.message()
        self.assertEqual(message["MessageId"], sent["MessageId"])
        self.assertEqual(json.loads(message["Body"]), {"said": "Grüße & <b>"})
        self.assertEqual(message["MessageAttributes"]["kind"]["StringValue"], "test")
        self.assertEqual(sent["MD5OfMessageBody"], message["MD5OfBody"])

    def test_a_message_with_a_token_is_answered(self):
        queue = Queue()
        parameters = {"QueueUrl": queue.url, "MessageBody": {"token.$": "$$.Task.Token", "n.$": "$.n"}}
        arn = create(definition(("Ask", task("sqs:sendMessage.waitForTaskToken", parameters, HeartbeatSeconds=60))))
        execution = start(arn, {"n": 7})
        asked = json.loads(queue.message()["Body"])
        self.assertEqual(asked["n"], 7)
        sfn.send_task_heartbeat(taskToken=asked["token"])
        sfn.send_task_success(taskToken=asked["token"], output='{"yes": true}')
        self.assertEqual(json.loads(ended(execution)["output"]), {"yes": True})
        self.assertEqual(
            types(execution)[1:-2],
            ["TaskStateEntered", "TaskScheduled", "TaskStarted", "TaskSubmitted", "TaskSucceeded"],
        )
        with self.assertRaises(sfn.exceptions.TaskTimedOut):
            sfn.send_task_success(taskToken=asked["token"], output="{}")

        execution = start(arn, {"n": 8})
        asked = json.loads(queue.message()["Body"])
        sfn.send_task_failure(taskToken=asked["token"], error="No", cause="never")
        failed = ended(execution)
        self.assertEqual((failed["status"], failed["error"], failed["cause"]), ("FAILED", "No", "never"))

    def test_a_fifo_queue_and_a_batch_by_the_sdk_integration(self):
        queue = Queue(FifoQueue="true", ContentBasedDeduplication="true")
        entries = [{"Id": "a", "MessageBody": "one", "MessageGroupId": "g"}]
        sent = run(("Send", task("aws-sdk:sqs:sendMessageBatch", {"QueueUrl": queue.url, "Entries": entries})))
        self.assertEqual(sent["Successful"][0]["Id"], "a")
        message = queue.message()
        self.assertEqual((message["Body"], message["Attributes"]["MessageGroupId"]), ("one", "g"))

    def test_errors_have_the_names_that_aws_gives(self):
        gone = {"QueueUrl": Queue().url + "x", "MessageBody": "m"}
        self.assertEqual(caught("sqs:sendMessage", gone)["Error"], "SQS.QueueDoesNotExistException")
        self.assertEqual(caught("aws-sdk:sqs:sendMessage", gone)["Error"], "Sqs.QueueDoesNotExistException")


class SNS(unittest.TestCase):
    def setUp(self):
        self.topic = sns.create_topic(Name=unique("topic"))["TopicArn"]
        self.queue = Queue()
        sns.subscribe(TopicArn=self.topic, Protocol="sqs", Endpoint=self.queue.arn)

    def notification(self):
        return json.loads(self.queue.message()["Body"])

    def test_a_message_is_published(self):
        parameters = {
            "TopicArn": self.topic,
            "Subject": "s",
            "Message": {"n.$": "$.n"},
            "MessageAttributes": {"kind": {"DataType": "String", "StringValue": "a & b"}},
        }
        published = run(("Publish", task("sns:publish", parameters)), data={"n": 1})
        got = self.notification()
        self.assertEqual((json.loads(got["Message"]), got["Subject"]), ({"n": 1}, "s"))
        self.assertEqual(got["MessageId"], published["MessageId"])
        self.assertEqual(got["MessageAttributes"]["kind"]["Value"], "a & b")

    def test_a_message_with_a_token_is_answered(self):
        parameters = {"TopicArn": self.topic, "Message": {"token.$": "$$.Task.Token"}}
        execution = start(create(definition(("Ask", task("sns:publish.waitForTaskToken", parameters)))))
        asked = json.loads(self.notification()["Message"])
        sfn.send_task_success(taskToken=asked["token"], output="1")
        self.assertEqual(ended(execution)["output"], "1")

    def test_the_sdk_integration_publishes_together_and_lists(self):
        entries = [{"Id": "a", "Message": "one & two"}]
        parameters = {"TopicArn": self.topic, "PublishBatchRequestEntries": entries}
        answer = run(("Publish", task("aws-sdk:sns:publishBatch", parameters)))
        self.assertEqual([each["Id"] for each in answer["Successful"]], ["a"])
        self.assertEqual(answer["Failed"], [])
        self.assertEqual(self.notification()["Message"], "one & two")
        listed = run(("List", task("aws-sdk:sns:listSubscriptionsByTopic", {"TopicArn": self.topic})))
        self.assertEqual([each["Endpoint"] for each in listed["Subscriptions"]], [self.queue.arn])
        read = run(("Read", task("aws-sdk:sns:getTopicAttributes", {"TopicArn": self.topic})))
        self.assertEqual(read["Attributes"]["TopicArn"], self.topic)

    def test_errors_have_the_names_that_aws_gives(self):
        gone = {"TopicArn": self.topic + "x", "Message": "m"}
        self.assertEqual(caught("sns:publish", gone)["Error"], "SNS.NotFoundException")
        self.assertEqual(caught("aws-sdk:sns:publish", gone)["Error"], "Sns.NotFoundException")


class EventBridge(unittest.TestCase):
    def setUp(self):
        self.queue = Queue()
        self.bus = unique("bus")
        self.source = unique("source")
        events.create_event_bus(Name=self.bus)
        events.put_rule(Name=self.bus, EventBusName=self.bus, EventPattern=json.dumps({"source": [self.source]}))
        events.put_targets(Rule=self.bus, EventBusName=self.bus, Targets=[{"Id": "q", "Arn": self.queue.arn}])

    def entry(self, detail):
        return {"EventBusName": self.bus, "Source": self.source, "DetailType": "told", "Detail": detail}

    def test_events_reach_a_rule(self):
        arn = create(definition(("Put", task("events:putEvents", {"Entries": [self.entry({"n.$": "$.n"})]}))))
        execution = start(arn, {"n": 3})
        answer = json.loads(ended(execution)["output"])
        got = json.loads(self.queue.message()["Body"])
        self.assertEqual((got["detail-type"], got["detail"]), ("told", {"n": 3}))
        self.assertEqual(got["id"], answer["Entries"][0]["EventId"])
        self.assertEqual(got["resources"], [arn, execution])

    def test_an_event_with_a_token_is_answered(self):
        entries = [self.entry({"token.$": "$$.Task.Token"})]
        execution = start(create(definition(("Ask", task("events:putEvents.waitForTaskToken", {"Entries": entries})))))
        asked = json.loads(self.queue.message()["Body"])["detail"]
        sfn.send_task_success(taskToken=asked["token"], output="2")
        self.assertEqual(ended(execution)["output"], "2")

    def test_the_sdk_integration_puts_what_it_is_given(self):
        put = run(("Put", task("aws-sdk:eventbridge:putEvents", {"Entries": [self.entry('{"n": 4}')]})))
        self.assertEqual(put["FailedEntryCount"], 0)
        got = json.loads(self.queue.message()["Body"])
        self.assertEqual((got["detail"], got["resources"]), ({"n": 4}, []))

    def test_errors_have_the_names_that_aws_gives(self):
        failed = caught("events:putEvents", {"Entries": [self.entry("no JSON")]})
        self.assertEqual(failed["Error"], "EventBridge.FailedEntry")
        gone = {"Name": "none"}
        failed = caught("aws-sdk:eventbridge:describeEventBus", gone)
        self.assertEqual(failed["Error"], "EventBridge.ResourceNotFoundException")
