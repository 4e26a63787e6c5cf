import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';

/**
 * Draws `service-models.json` from the API models that AWS publishes with botocore:
 * `npx tsx packages/stepfunctions/src/api/test-state/draw-models.ts <botocore's folder "data">`. `service-model.ts` says their form.
 */

interface ApiShape {
  type: string;
  members?: Record<string, { shape: string }>;
  member?: { shape: string };
  value?: { shape: string };
  required?: string[];
  enum?: string[];
  min?: number;
  max?: number;
  document?: boolean;
  eventstream?: boolean;
}
interface ApiModel {
  operations: Record<string, { output?: { shape: string } }>;
  shapes: Record<string, ApiShape>;
}

/** Step Functions' name of a service, and botocore's. */
const services: Record<string, string> = {
  bedrockruntime: 'bedrock-runtime',
  dynamodb: 'dynamodb',
  eventbridge: 'events',
  kinesis: 'kinesis',
  kms: 'kms',
  lambda: 'lambda',
  s3: 's3',
  secretsmanager: 'secretsmanager',
  sesv2: 'sesv2',
  sfn: 'stepfunctions',
  sns: 'sns',
  sqs: 'sqs',
  ssm: 'ssm',
  sts: 'sts',
};

const [, , data] = process.argv;
if (data === undefined) throw new Error("Name botocore's folder `data` as the argument");
const models = Object.entries(services).map(([name, theirs]) => {
  const versions = readdirSync(path.join(data, theirs)).sort();
  const file = path.join(data, theirs, versions.at(-1)!, 'service-2.json.gz');
  return [name, draw(JSON.parse(gunzipSync(readFileSync(file)).toString()) as ApiModel)];
});
const text = JSON.stringify(Object.fromEntries(models), null, 2);
writeFileSync(path.join(__dirname, 'service-models.json'), `${text}\n`);

function draw({ operations, shapes }: ApiModel): string {
  const lines = new Map<string, string>();

  /** Returns the notation of a member's type. Structures and lists of values have separate lines. */
  function reference(name: string): string {
    const shape = shapes[name]!;
    const bounds = shape.min === undefined && shape.max === undefined ? '' : `${shape.min ?? ''}..${shape.max ?? ''}`;
    if (shape.document || shape.eventstream) return '*';
    if (shape.enum) return own(name, () => `= ${shape.enum!.join(' ')}`);
    switch (shape.type) {
      case 'structure':
        return own(name, () => structure(shape));
      case 'list':
        return `[${reference(shape.member!.shape)}]`;
      case 'map':
        return `{${reference(shape.value!.shape)}}`;
      case 'boolean':
        return 'b';
      case 'integer':
      case 'long':
      case 'float':
      case 'double':
        return `n${bounds}`;
      default:
        // Texts, and what Step Functions makes texts of: bytes and times.
        return `s${shape.type === 'timestamp' ? '' : bounds}`;
    }
  }

  function own(name: string, line: () => string): string {
    if (!lines.has(name)) {
      lines.set(name, '');
      lines.set(name, line());
    }
    return `@${name}`;
  }

  const structure = ({ members = {}, required = [] }: ApiShape): string =>
    Object.entries(members)
      .map(([field, { shape }]) => `${field}${required.includes(field) ? '!' : ''}:${reference(shape)}`)
      .join(' ');

  const answers = Object.entries(operations)
    .filter(([, { output }]) => output !== undefined)
    .map(([operation, { output }]) => `${operation}() ${reference(output!.shape)}`);
  return [...answers, ...[...lines].map(([name, line]) => `${name} ${line}`)].join('\n');
}
