import unittest

import boto3

from support import caught, run, task, unique

dynamodb = boto3.client("dynamodb")


class DynamoDB(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.table = unique("t")
        dynamodb.create_table(
            TableName=cls.table,
            BillingMode="PAY_PER_REQUEST",
            AttributeDefinitions=[
                {"AttributeName": "id", "AttributeType": "S"},
                {"AttributeName": "at", "AttributeType": "N"},
            ],
            KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}, {"AttributeName": "at", "KeyType": "RANGE"}],
        )

    def key(self, at=1):
        return {"id": {"S": self.id()}, "at": {"N": str(at)}}

    def stored(self, at=1):
        return dynamodb.get_item(TableName=self.table, Key=self.key(at)).get("Item")

    def request(self, **more):
        return {"TableName": self.table, **more}

    def test_items_are_put_read_updated_and_deleted(self):
        item = {**self.key(), "words": {"L": [{"S": "ä"}, {"BOOL": True}, {"NULL": True}]}, "n": {"N": "1"}}
        update = self.request(
            Key=self.key(),
            UpdateExpression="SET n = n + :one",
            ExpressionAttributeValues={":one": {"N.$": "$.step"}},
            ReturnValues="UPDATED_NEW",
        )
        answers = run(
            ("Put", task("dynamodb:putItem", self.request(Item=item), ResultPath="$.put")),
            ("Update", task("dynamodb:updateItem", update, ResultPath="$.update")),
            ("Get", task("dynamodb:getItem", self.request(Key=self.key()), ResultPath="$.get")),
            data={"step": "5"},
        )
        self.assertEqual(answers["put"]["SdkHttpMetadata"]["HttpStatusCode"], 200)
        self.assertEqual(answers["update"]["Attributes"], {"n": {"N": "6"}})
        self.assertEqual(answers["get"]["Item"]["n"], {"N": "6"})
        self.assertEqual(answers["get"]["Item"]["words"]["L"][0], {"S": "ä"})
        self.assertEqual(self.stored(), {**item, "n": {"N": "6"}})

        deleted = run(
            ("Delete", task("dynamodb:deleteItem", self.request(Key=self.key(), ReturnValues="ALL_OLD"))),
        )
        self.assertEqual(deleted["Attributes"]["n"], {"N": "6"})
        self.assertIsNone(self.stored())

    def test_the_sdk_integration_queries_and_writes_together(self):
        puts = [{"Put": {"TableName": self.table, "Item": self.key(at)}} for at in (1, 2, 3)]
        query = self.request(
            KeyConditionExpression="id = :id AND #at > :from",
            ExpressionAttributeNames={"#at": "at"},
            ExpressionAttributeValues={":id": {"S": self.id()}, ":from": {"N": "1"}},
        )
        answer = run(
            ("Write", task("aws-sdk:dynamodb:transactWriteItems", {"TransactItems": puts})),
            ("Query", task("aws-sdk:dynamodb:query", query)),
        )
        self.assertEqual((answer["Count"], answer["Items"]), (2, [self.key(2), self.key(3)]))
        self.assertNotIn("SdkHttpMetadata", answer)

    def test_errors_have_the_names_that_aws_gives(self):
        dynamodb.put_item(TableName=self.table, Item=self.key())
        put = self.request(Item=self.key(), ConditionExpression="attribute_not_exists(id)")
        refused = caught("dynamodb:putItem", put)
        self.assertEqual(refused["Error"], "DynamoDB.ConditionalCheckFailedException")
        self.assertIn("Error Code: ConditionalCheckFailedException; Request ID: ", refused["Cause"])
        refused = caught("aws-sdk:dynamodb:putItem", put)
        self.assertEqual(refused["Error"], "DynamoDb.ConditionalCheckFailedException")
        self.assertIn("(Service: DynamoDb, Status Code: 400, Request ID: ", refused["Cause"])
        together = {"TransactItems": [{"Put": put}]}
        refused = caught("aws-sdk:dynamodb:transactWriteItems", together)
        self.assertEqual(refused["Error"], "DynamoDb.TransactionCanceledException")
        gone = {"TableName": "none", "Key": self.key()}
        self.assertEqual(caught("dynamodb:getItem", gone)["Error"], "DynamoDB.ResourceNotFoundException")
        self.assertEqual(caught("aws-sdk:dynamodb:getItem", gone)["Error"], "DynamoDb.ResourceNotFoundException")
        # What the API does not declare has the client's name.
        wrong = self.request(Key={"id": {"S": "1"}})
        self.assertEqual(caught("dynamodb:getItem", wrong)["Error"], "DynamoDB.AmazonDynamoDBException")
        self.assertEqual(caught("aws-sdk:dynamodb:getItem", wrong)["Error"], "DynamoDb.DynamoDbException")
