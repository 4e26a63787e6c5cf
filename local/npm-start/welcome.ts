import type { LocalCloud } from '../cloud';
import type { NeededValue } from '../template/template';

export interface WelcomeOptions {
  cloud: LocalCloud;
  /** The label of the model. */
  model: string;
  /** The label of the web search, if a tool has one. */
  search?: string;
  stateDirectory: string;
  watch: boolean;
  /** The command that starts it with options, such as `npm start --`. */
  command: string;
  /** A conversation to begin. */
  example: { agent: string; text: string };
  seconds: number;
}

const kinds: Readonly<Record<string, [one: string, many: string]>> = {
  'AWS::StepFunctions::StateMachine': ['state machine', 'state machines'],
  'AWS::Lambda::Function': ['function', 'functions'],
  'AWS::DynamoDB::Table': ['table', 'tables'],
};

/** Returns one screen: what runs where, what to type next, how to stop. */
export function welcome(options: WelcomeOptions): string {
  const { cloud, model, search, stateDirectory, watch, command, example, seconds } = options;
  const { url, awsUrl, clock } = cloud;
  const days = clock.offset() / 86_400_000;
  return `
Vigil runs (ready in ${seconds.toFixed(1)} s).

  Page and API  ${url}
  AWS endpoint  ${awsUrl}  (Step Functions, DynamoDB, Lambda, Secrets Manager, S3)
  Model         ${model}
${search ? `  Search        ${search}\n` : ''}  Runs          ${inventory(cloud)}
  Changes       ${watch ? 'to agents, tools and their imports are live when saved' : 'are live at the next start'}
  State         ${stateDirectory}  (logs/<Function>.log; \`${command} --reset\` empties it)${
    days > 0
      ? `\n  Clock         ${days.toFixed(1)} days ahead of this machine's: ${new Date(clock.now()).toISOString()}`
      : ''
  }${cloud.unset.map(unsetLine).join('')}

Open the page, or type:

  token() { curl -s ${url}/_local/token -d '{"user":"ada"}' | sed 's/.*"token":"\\([^"]*\\)".*/\\1/'; }
  curl -s ${url}/conversations -H "authorization: Bearer $(token)" -H 'content-type: application/json' \\
    -d ${quoted(JSON.stringify(example))}

Let two days pass, then see:

  curl -s ${url}/_local/clock -d '{"advance":"P2D"}'
  curl -s ${url}/conversations -H "authorization: Bearer $(token)"

Ctrl-C stops it. Runs that sleep or wait continue at the next start.
`;
}

/** As one word of the shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const unsetLine = ({ name, tools }: NeededValue): string =>
  `\n  Not set       ${name}: without it, ${tools.join(', ')} ${tools.length > 1 ? 'fail' : 'fails'}`;

function inventory({ resources }: LocalCloud): string {
  const counts = Object.entries(kinds).map(([type, [one, many]]) => {
    const count = resources.list().filter((resource) => resource.type === type).length;
    return `${count} ${count === 1 ? one : many}`;
  });
  return `${counts.join(', ')}, from the synthesized CDK template`;
}
