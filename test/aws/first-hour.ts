import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { AdminDeleteUserCommand, CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { version } from '../../package.json';
import { type Deployed, person } from '../second-cloud/people';
import { isAtRest, type User } from '../support/api-client';
import { liveClient } from '../support/live-client';

// `npx tsx test/aws/first-hour.ts outputs.json` plays stories in a deployment, with the model that it has, and prints a report
// (docs/first-hour-on-aws.md). `--while "npx cdk deploy …"` runs a command while a reminder sleeps. The report has names, times and
// statuses, and neither ids nor texts: it can be sent to anybody.

interface Story {
  name: string;
  /** Calls `reached` at each place, so that a failure says how far it came. */
  tell(reached: (place: string) => void): Promise<void>;
}

interface Told {
  story: string;
  isWell: boolean;
  seconds: number;
  /** The last place that a story that failed has reached, and the name of the error. */
  after?: string;
  error?: string;
}

/** A model thinks, and a function that starts for the first time takes longer. */
const patienceMs = 240_000;

function expectThat(holds: boolean, name: string): void {
  if (!holds) throw Object.assign(new Error(name), { name });
}

interface Asked {
  /** When the reminder comes: `1 minute`. */
  delay: string;
  /** A command that runs while it sleeps. */
  meanwhile?: string;
}

function storiesOf(api: string, ada: User, bob: User, { delay, meanwhile }: Asked): Story[] {
  const over = (user: User, id: string) => user.until(id, isAtRest, patienceMs);
  const until = (user: User, id: string, wanted: string) =>
    user.until(id, (now) => now.status === wanted || isAtRest(now), patienceMs);
  return [
    {
      name: 'a request without a token is refused',
      async tell() {
        expectThat((await fetch(`${api}/agents`)).status === 401, 'NotRefused');
        expectThat((await ada.request('GET', '/agents')).status === 200, 'Refused');
      },
    },
    {
      name: 'a reminder comes at its time',
      async tell(reached) {
        const { id } = await ada.start('reminder', `Remind me in ${delay} to drink water`);
        reached('started');
        expectThat((await until(ada, id, 'sleeping')).status === 'sleeping', 'NotAsleep');
        reached('asleep');
        if (meanwhile) {
          const { status } = spawnSync(meanwhile, { shell: true, stdio: ['ignore', 2, 2] });
          expectThat(status === 0, 'CommandFailed');
          reached('deployed again');
        }
        const { status, messages } = await over(ada, id);
        expectThat(status === 'done', `Ended as ${status}`);
        expectThat(
          messages.some(({ role, text }) => role !== 'user' && text.includes('water')),
          'NoReminder',
        );
      },
    },
    {
      name: 'two people see the same conversation live',
      async tell(reached) {
        const { id } = await ada.start('chat', 'Hello');
        expectThat((await over(ada, id)).status === 'done', 'NotAnswered');
        reached('answered');
        expectThat((await bob.request('GET', `/conversations/${id}`)).status === 404, 'SeenByStranger');
        await ada.client.api.setMember(id, { member: `user:${bob.id}`, role: 'member', name: 'Bob' });
        await bob.client.api.acceptInvitation(id);
        reached('joined');
        const live = await liveClient(bob);
        await live.follow(id);
        const before = live.of(id)!.messages.length;
        reached('connected');
        await ada.say(id, 'What is two and two?');
        await live.until(() => (live.of(id)?.messages.length ?? 0) >= before + 2);
        await live.close();
      },
    },
    {
      name: 'a payment waits for its approval, and is paid once',
      async tell(reached) {
        const { id } = await ada.start('bank', 'Send 900 dollars to Ada for the rent');
        const { status, callbacks } = await until(ada, id, 'waiting');
        expectThat(status === 'waiting' && callbacks.length === 1, 'NotAsked');
        reached('asked');
        await ada.answer(id, callbacks[0]!.id, { approved: true });
        reached('approved');
        const { calls } = await over(ada, id);
        const paid = calls.filter(({ tool, status }) => tool === 'transfer' && status === 'completed');
        expectThat(paid.length === 1, 'NotPaidOnce');
      },
    },
    {
      name: 'a run that sleeps is cancelled',
      async tell(reached) {
        const { id } = await ada.start('reminder', 'Remind me in 3 hours to stretch');
        expectThat((await until(ada, id, 'sleeping')).status === 'sleeping', 'NotAsleep');
        reached('asleep');
        await ada.cancel(id);
        expectThat((await over(ada, id)).status === 'cancelled', 'NotCancelled');
      },
    },
  ];
}

async function told({ name, tell }: Story): Promise<Told> {
  const began = Date.now();
  let after = 'the beginning';
  const result = (isWell: boolean) => ({ story: name, isWell, seconds: Math.round((Date.now() - began) / 1_000) });
  try {
    await tell((place) => {
      after = place;
    });
    return result(true);
  } catch (error) {
    // A message may have words of the conversation.
    return { ...result(false), after, error: (error as Error).name };
  }
}

/**
 * Plays the stories, one after the other, as two people who are created for it and deleted afterwards.
 *
 * @param api the address of the HTTP API.
 */
export async function playFirstHour(deployed: Deployed, asked: Asked): Promise<Told[]> {
  const names = ['ada', 'bob'].map((name) => `${name}-${randomBytes(4).toString('hex')}`);
  const results: Told[] = [];
  try {
    const [ada, bob] = await Promise.all(names.map((name) => person(deployed, name)));
    for (const story of storiesOf(deployed.api, ada!, bob!, asked)) results.push(await told(story));
    return results;
  } finally {
    for (const name of names)
      await deployed.cognito.send(
        new AdminDeleteUserCommand({ UserPoolId: deployed.userPoolId, Username: `${name}@example.com` }),
      );
  }
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { while: { type: 'string' } } });
  const [file] = positionals;
  if (!file) throw new Error('Name the file that cdk deploy --outputs-file has written.');
  const [outputs] = Object.values(JSON.parse(readFileSync(file, 'utf8')) as Record<string, Record<string, string>>);
  const cognito = new CognitoIdentityProviderClient({});
  const { ApiUrl: api = '', UserPoolId: userPoolId = '', UserPoolClientId: clientId = '' } = outputs ?? {};
  const asked = { delay: '1 minute', meanwhile: values.while };
  const stories = await playFirstHour({ cognito, api, userPoolId, clientId }, asked);
  cognito.destroy();
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  const region = userPoolId.split('_')[0];
  console.log(JSON.stringify({ vigil: version, commit, region, at: new Date().toISOString(), stories }, null, 2));
  process.exitCode = stories.every(({ isWell }) => isWell) ? 0 : 1;
}

if (require.main === module)
  main().catch((error: Error) => {
    console.error(`${error.name}: ${error.message}`);
    process.exitCode = 1;
  });
