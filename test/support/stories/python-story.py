"""A story that a client plays which is generated from docs/openapi.json. Its last line is JSON of what it has seen."""

import json
import sys
import time

import httpx
from vigil_client import AuthenticatedClient
from vigil_client.api.agents import list_agents
from vigil_client.api.approvals import answer_callback, list_approvals
from vigil_client.api.conversations import get_conversation, list_conversations, start_conversation
from vigil_client.api.runs import send_message
from vigil_client.models import (
    AnswerCallback,
    ConversationStatus,
    GatewayError,
    MessageRole,
    Problem,
    SendMessage,
    StartConversation,
)

url, user, wish = sys.argv[1:]


def local(path, body):
    """What a deployment has not: a token for any user, and a clock that can be moved."""
    answer = httpx.post(f"{url}/_local/{path}", json=body, timeout=90)
    answer.raise_for_status()
    return answer.json()


def sign_in():
    token = local("token", {"user": user})["token"]
    return AuthenticatedClient(base_url=url, token=token, timeout=httpx.Timeout(90))


def until(client, conversation_id, *statuses):
    end = time.monotonic() + 200
    while time.monotonic() < end:
        conversation = get_conversation.sync(conversation_id, client=client)
        if conversation.status in statuses:
            return conversation
        time.sleep(0.1)
    raise TimeoutError(f"{conversation_id} is {conversation.status}, not {statuses}")


client = sign_in()
seen = {"agents": [agent.name for agent in list_agents.sync(client=client).agents]}

# A reminder: it sleeps until tomorrow, and a repeated request starts nothing.
reminder = StartConversation(agent="reminder", text=wish, id="plants")
first = start_conversation.sync_detailed(client=client, body=reminder)
again = start_conversation.sync_detailed(client=client, body=reminder)
seen["started"] = [int(first.status_code), int(again.status_code), first.parsed.id == again.parsed.id]
asleep = until(client, first.parsed.id, ConversationStatus.SLEEPING)
seen["until"] = asleep.run.until.isoformat()
seen["sleeping"] = first.parsed.id in [one.id for one in list_conversations.sync(client=client).conversations]
local("clock", {"to": seen["until"]})

# The token has expired meanwhile, which the gateway says.
expired = get_conversation.sync_detailed(first.parsed.id, client=client)
seen["expired"] = [int(expired.status_code), isinstance(expired.parsed, GatewayError) and expired.parsed.message]
client = sign_in()
done = until(client, first.parsed.id, ConversationStatus.DONE)
seen["words"] = [
    ["user" if message.role == MessageRole.USER else message.author, message.text.strip()]
    for message in done.messages
    if message.text
]
seen["tokens"] = done.usage.input_tokens > 0

# Errors are problems, with their fields.
unknown = start_conversation.sync(client=client, body=StartConversation(agent="nobody"))
empty = send_message.sync(first.parsed.id, client=client, body=SendMessage(text=" "))
nowhere = get_conversation.sync("nowhere", client=client)
problems = [unknown, empty, nowhere]
seen["problems"] = [
    [problem.status, [error.path for error in problem.errors or []]]
    for problem in problems
    if isinstance(problem, Problem)
]

# A payment waits for its approval. The first decision holds.
payment = start_conversation.sync(client=client, body=StartConversation(agent="tester", text="Pay"))
until(client, payment.id, ConversationStatus.WAITING)
waiting = []
while not waiting:  # The index lags by moments.
    waiting = [one for one in list_approvals.sync(client=client).approvals if one.conversation_id == payment.id]
callback = waiting[0].callback
seen["approval"] = [callback.kind, callback.tool, callback.arguments["cents"]]
decided = answer_callback.sync(payment.id, callback.id, client=client, body=AnswerCallback(approved=True))
paid = until(client, payment.id, ConversationStatus.DONE)
late = answer_callback.sync(payment.id, callback.id, client=client, body=AnswerCallback(approved=False))
seen["decided"] = [decided.status, late.status, late.outcome["approved"]]
seen["paid"] = [[call.tool, call.status, call.result] for call in paid.calls]

print(json.dumps(seen))
