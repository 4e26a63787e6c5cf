import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { effects } from '../../core/conversations/members/effects';

export const file = join(__dirname, '../../docs/members.md');

/** An operation of the HTTP API on a conversation, and who may do it. */
export interface Operation {
  operationId: string;
  summary: string;
  method: string;
  path: string;
  needs: 'watcher' | 'member' | 'owner' | 'approver' | 'person' | 'anybody';
}

/** Returns the operations on a conversation, from the API's document. */
export function operations(): Operation[] {
  const { paths } = JSON.parse(readFileSync(join(__dirname, '../../docs/openapi.json'), 'utf8'));
  return Object.entries<Record<string, Record<string, string>>>(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation['x-vigil-needs'])
      .map(([method, { operationId, summary, 'x-vigil-needs': needs }]) => {
        return { operationId, summary, method, path, needs } as Operation;
      }),
  );
}

const ranks = ['watcher', 'member', 'owner'];
/** Whether a role is enough. An approver, or a person who steps in, need not be in the conversation. */
export const isEnough = (role: string | undefined, needs: Operation['needs']): boolean =>
  needs !== 'person' &&
  (needs === 'anybody' || ranks.indexOf(role ?? '') >= ranks.indexOf(needs === 'approver' ? 'owner' : needs));

const order: Operation['needs'][] = ['anybody', 'watcher', 'member', 'approver', 'person', 'owner'];

function table(): string {
  const cell = (needs: Operation['needs'], role: string) =>
    needs === 'approver' && role !== 'owner'
      ? 'an approver'
      : needs === 'person' && role !== 'owner'
        ? 'a person'
        : isEnough(role, needs)
          ? 'yes'
          : '';
  const lines = operations()
    .toSorted((one, other) => order.indexOf(one.needs) - order.indexOf(other.needs))
    .map(({ method, path, needs }) => {
      const cells = ['watcher', 'member', 'owner'].map((role) => cell(needs, role));
      return `| \`${method.toUpperCase()} ${path}\` | ${[needs === 'anybody' ? 'yes' : '', ...cells].join(' | ')} |`;
    });
  return ['| operation | a stranger | a watcher | a member | the owner |', '|---|---|---|---|---|', ...lines].join(
    '\n',
  );
}

function effectsTable(): string {
  const words = { allowed: 'yes', asks: 'yes, and its agents ask', refused: '' };
  const lines = Object.values(effects).map(({ about, may }) => {
    const cells = [may.taker, may.member, may.owner].map((one) => words[one]);
    return `| ${about} | ${cells.join(' | ')} |`;
  });
  return ['| effect | who has taken it over | a member | the owner |', '|---|---|---|---|', ...lines].join('\n');
}

export const drawn = (): string => `# Members: several people in one conversation

A conversation has an owner, and its owner may share it. A **member** reads, writes, answers questions, and stops and continues the agents. A
**watcher** reads. All of them see replies as they are made. \`npx tsx test/support/draw-members.ts\` draws this page from the API's routes, and a
test fails while they differ.

    PUT /conversations/{id}/members   {"member": "user:<id>", "role": "member", "name": "Ben"}
    PUT /conversations/{id}/members   {"member": "group:<name>", "role": "watcher"}

A \`user:\` is the \`sub\` of a token, a \`group:\` a group in it. Of a person's own role and those of their groups, the better one counts. There are
at most 20 members, and a group is one of them. All versions of a conversation have the same members: a change is made in all of them in one
transaction, so a shared conversation has at most 40 versions. Who reads a conversation also reads those of its sub-agents.

## Invitations

**Nobody is added unasked.** Who is named as \`user:\` is invited: they are a stranger to the conversation, get no notice of it and are not told its title,
before they accept (\`POST /conversations/{id}/invitation\`). They decline by removing themselves from the members. \`GET /invitations\` and the home list
what a user has not answered, with who invites them. A group is added only by somebody who is in it, and its people are in at once.

\`PUT /ignored {"name": "user:<id>", "ignored": true}\` keeps a user's invitations, and notices of their conversations, from coming;
\`conversation:<id>\` mutes a conversation. Neither changes a role.

## What outlives a token

Members, links, stand-ins, standing approvals and devices work without a token of who granted them. In an app that lists [\`notices\`](notifications.md), each is told to that person on all of their devices, as
[new devices](notifications.md) are. \`GET /authority\` lists them in one place, “Who may do what for me” in the user's menu, and \`DELETE /authority\` ends all
of them. A stand-in decides about money: one token names them until it ends, and only a later token of the same sign-in confirms them. The page asks for that
token at once; another client repeats \`PUT /absence\`.

## Who may do what

One function decides, [\`core/conversations/members/role.ts\`](../core/conversations/members/role.ts). Requests, sockets, streams, files, forks, exports and MCP
ask it. Members are in META, so a change of them has its place in the conversation's order: what a person sends after they were removed is refused.

${table()}

A member leaves by their own name. A callback that is a question is answered by members, too; an approval is decided by its approvers.

A stranger gets the answer of a conversation that does not exist. Who reads it, and may not do something, gets 403. An approver need not be in
the conversation: [approvals](tools.md#approvals) say who decides. A person is one whom the agent lets [step in](#a-person-takes-over); nor need they be in it.
Who has taken a conversation over is a member until they give it back.

Members and watchers find what they may read in the [search](page.md#search-in-what-was-said). A removed person finds nothing from then on. Whatever is
pushed of a conversation, and the words of replies, go to those who may read it at that moment, which is asked each second at least
(\`core/people/live/readers.ts\`); so a removed person gets nothing, and their live connection is closed. A group's member who leaves the group keeps their right until their token ends, as everywhere.

## Whose authority counts

The agents act for the owner: calls, money, memories, budgets, timers and approvals are the owner's, also when a member writes. Code enforces this, not the prompt.

- A member's message has the [source](tools.md#sources) \`member\`. The model reads who says it, and reads the words as a JSON string, so that
  nothing in them looks like another person's.
- After a member's words, a call with an effect needs an approval, by the owner or the tool's \`approvers\`, unless the tool has [\`askedBy: 'member'\`](tools.md#fields-of-a-tool-with-a-function). A
  \`read\` tool needs none, so **members learn what the agent can read for the owner**. A tool with \`askedBy: 'owner'\` asks even for reading, as
  \`recall\` does.
- The owner can declare a message as trusted, as any words from outside.
- What is recalled about the owner by itself ([\`recall\` of an agent](agents.md#memory)) is for conversations that are the owner's alone. In a shared one
  nothing is recalled, by sub-agents neither, and what was recalled before leaves what models read, with the summaries that have it. A new owner's
  agents never read it. The owner sees it (\`GET …/messages/{seq}/recalled\`), nobody else does. Replies stay as they are: look at what they tell
  before you share.
- A member's message changes neither the claims nor the time zone with which the agents act.
- **Runs of a shared conversation stop at half of its owner's day and month**, whoever has used that half, sub-agents included. So members together cannot use
  up what the owner may spend: the rest is for the conversations that are the owner's alone. \`VIGIL_SHARED_PERCENT\` sets another part ([limits](settings.md#limits)).
- A member's file becomes the owner's, and counts for them. A member refers only to files that they have uploaded, or that the conversation has.
- The fork of a member is the owner's, with the same members.

\`{"to": "people"}\` with a message writes to the people: no agent answers, and the agents read it with what comes later. \`{"mentions": ["<id>"]}\`
notifies users of the conversation.

### Effects without a tool's name

What stops, undoes, continues or repeats a run has effects, too. One table decides who causes them, and on whose authority,
[\`core/conversations/members/effects.ts\`](../core/conversations/members/effects.ts). A watcher causes none. A machine and an MCP client cause what
the person does for whom they act.

${effectsTable()}

- **A stop of another person than the owner undoes nothing.** The run is \`cancelled\` at once, with who has stopped it (\`stoppedBy\`), and what it and
  its sub-agents have done stays. While it is the latest run, the owner may cancel it as well (\`POST …/cancel\`), which undoes that.
- **Its agents ask** until that run ends: a call with an effect needs an approval, as after a member's words.
- **The end of a hold** is caused by time alone: what a failed run has done is undone on the owner's authority, \`holdFailedDays\` after the
  failure. Deleting a conversation undoes what an unfinished run has done, and is the owner's alone.

## A person takes over

An agent with [\`people\`](agents.md#fields) has the tool \`hand_off_to_person({group, reason})\`:

    people: [
      {
        group: 'advisers',
        purpose: 'Customers who ask for a person, or complain.',
        escalation: { afterSeconds: 4 * 3600, to: { group: 'branch-managers' } },
        reminders: { everySeconds: 3600, atMost: 3 },
        mayStepIn: true,
      },
    ]

The run waits, for 30 days by default (\`expiresInSeconds\`, at most 300), for a callback of the kind \`person\`. The tool is called alone: other calls of
that reply fail, and the model makes them afterwards. A sub-agent has no person to talk to, so its call fails.

- **The queue** is \`GET /approvals\` of the group's members, the oldest first, with the agent's reason and whose conversation it is. Nothing else of it can be
  read before one has claimed it. \`escalation\` and \`reminders\` are those of [approvals](tools.md#several-approvers). The owner never takes over, also as one of
  the group.
- **Claim, release, reassign** by \`PUT\` and \`DELETE …/callbacks/{callbackId}/assignee\`. Of two who claim at once, one gets 409. To take it from
  a colleague, say from whom (\`from\`). To give it to one, name them: they must have opened their approvals in the last 30 days, and are notified.
- **Who has it is a member** until they give it back, and reads the whole conversation. They make no versions of it. It is one transaction: META (\`takenBy\`) and the callback say so together.
- **Messages** of all people meanwhile are for people: no agent answers them, and the agent reads them when it goes on. The owner and the person who has
  it are notified of each other's.
- **Given back** by \`POST …/callbacks/{callbackId}\` with \`answer\`, a note, which the agent reads as the last message. With \`ends: true\`, the run is done instead, and
  the model is not asked; the next message goes to the agent.
- **Their words are not the owner's**: they have the source \`member\`, so what has an effect after them needs an approval, by the owner or the tool's \`approvers\`.
- Whatever ends the wait (a cancel, a failure, the end of its time) lets the person go: their connections end as a removed member's do.

With \`mayStepIn\`, a member of the group steps in without being asked: \`POST …/take-over\` with a \`reason\`, which becomes a message. It interrupts the agent, and
withdraws an open question or approval. The next step makes the hand-off without asking the model, and it is theirs. If the run waits for an outside
system or another agent, that comes first.

[Metrics](operations.md#metrics) say how long conversations wait for a person, and how long a person has them.

## Links

    POST /conversations/{id}/links   {"role": "member", "expiresInSeconds": 86400, "once": true}
    POST /conversations/{id}/join    {"secret": "…"}

A link lasts for a day by default, and for at most 30. Its secret is returned once; its digest is stored. The owner lets in each one who uses it,
so a person who was removed does not come back by a link. Revoking a link removes no member. A link ends when the conversation gets another owner.

## Another owner

The owner offers the conversation to a member (\`PUT …/offer\`), and it is theirs when they accept (\`POST …/ownership\`), so no one is made to pay for
another person's agents. Runs and timers must be over. A conversation with files is not handed over, because files stay their owner's. The former owner
becomes a member.

A hand-over is one transaction: all versions and the conversations of their sub-agents, or none. It holds 19 versions, or one version and 31 of
sub-agents; a conversation with more gets 409 until some are deleted. What the former owner has left counts as another person's:

- What was said until then has the source \`member\`, unless the new owner has said it: also the words of machines, timers and summaries, and tasks
  of sub-agents.
- The claims, the metadata, the instructions and the model of a version, and the machine that started it, are removed.
- A run that failed cannot be retried. One that has reached a limit must be cancelled or continued first.
`;

if (require.main === module) writeFileSync(file, drawn());
