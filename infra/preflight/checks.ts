import { GetAccountSettingsCommand } from '@aws-sdk/client-lambda';
import { paginateListSecrets } from '@aws-sdk/client-secrets-manager';
import { GetParameterCommand } from '@aws-sdk/client-ssm';
import { GetCallerIdentityCommand } from '@aws-sdk/client-sts';
import { variableTag } from '../functions/api-key';
import type { Clients } from './clients';
import { earlierAttempt } from './earlier-attempt';
import { type AccountCheck, type Finding, fails, limits, ok, unless } from './finding';
import { cloudFrontQuotas, logPolicies, regionHas, userPools } from './quotas';

export interface Planned {
  stackName: string;
  region: string;
  /** Of the CDK's bootstrap stack. A company may have its own. */
  qualifier: string;
  /** Whether CloudFront hosts the page. */
  page: boolean;
  /** What the modules of the app need. */
  ofModules: readonly AccountCheck[];
}

/** Asks AWS, and changes nothing. A question that AWS does not answer is a finding, too. */
export async function preflight(clients: Clients, planned: Planned): Promise<Finding[]> {
  const account = await accountOf(clients);
  if (typeof account !== 'string') return [account];
  const answers = await Promise.all([
    answered('CDK bootstrap', () => bootstrapped(clients, planned, account)),
    answered('Lambda', () => concurrency(clients)),
    answered('CloudFormation', () => earlierAttempt(clients, planned)),
    answered('CloudWatch Logs', () => logPolicies(clients)),
    answered('Cognito', () => userPools(clients)),
    ...(planned.page ? [answered('CloudFront', () => cloudFrontQuotas(clients))] : []),
    answered('Secrets', () => secrets(clients, planned)),
    ...planned.ofModules.map(({ service, ask }) => answered(service, ask)),
  ]);
  return [
    ok(`account ${account}, region ${planned.region}`),
    ...regionHas(planned),
    ...answers.flat(),
    ...byHand(planned),
  ];
}

/** The qualifier of a bootstrap stack that has no other one. */
export const usualQualifier = 'hnb659fds';

async function accountOf({ sts }: Clients): Promise<string | Finding> {
  try {
    return (await sts.send(new GetCallerIdentityCommand({}))).Account ?? '';
  } catch (error) {
    return fails(`AWS does not know who you are (${nameOf(error)}): sign in, for example with aws sso login.`);
  }
}

async function answered(what: string, ask: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await ask();
  } catch (error) {
    return [{ verdict: 'unknown', words: `${what}: AWS does not answer (${nameOf(error)}). You may lack the right.` }];
  }
}

/** The version that the CDK's default synthesizer asks for. */
const bootstrapVersion = 6;

async function bootstrapped({ ssm }: Clients, { region, qualifier }: Planned, account: string): Promise<Finding[]> {
  // Without a name of its own, it would take the place of the usual one, which other apps use.
  const own =
    qualifier === usualQualifier ? '' : ` --qualifier ${qualifier} --toolkit-stack-name CDKToolkit-${qualifier}`;
  const how = `run npx cdk bootstrap aws://${account}/${region}${own}`;
  const Name = `/cdk-bootstrap/${qualifier}/version`;
  const found = await unless('ParameterNotFound', ssm.send(new GetParameterCommand({ Name })));
  if (!found) return [fails(`CDK bootstrap: this region has none: ${how}.`)];
  const version = Number(found.Parameter?.Value);
  if (version >= bootstrapVersion) return [ok(`CDK bootstrap: version ${version}`)];
  return [fails(`CDK bootstrap: version ${version} is older than ${bootstrapVersion}: ${how}.`)];
}

async function concurrency({ lambda }: Clients): Promise<Finding[]> {
  const { AccountLimit } = await lambda.send(new GetAccountSettingsCommand({}));
  const { ConcurrentExecutions: all = 0 } = AccountLimit ?? {};
  const more = 'ask for more in Service Quotas, “Concurrent executions” of AWS Lambda';
  if (all < 1_000) return [limits(`Lambda: ${all} concurrent executions: runs wait for one another; ${more}.`)];
  return [ok(`Lambda: ${all} concurrent executions`)];
}

async function secrets({ secretsManager: client }: Clients, { stackName }: Planned): Promise<Finding[]> {
  const findings: Finding[] = [];
  const Filters = [{ Key: 'tag-key' as const, Values: [variableTag] }];
  for await (const { SecretList = [] } of paginateListSecrets({ client }, { Filters }))
    for (const { ARN, Tags = [], SecretVersionsToStages = {} } of SecretList) {
      const tag = (key: string) => Tags.find(({ Key }) => Key === key)?.Value;
      if (tag('aws:cloudformation:stack-name') !== stackName) continue;
      const variable = tag(variableTag);
      const how = `aws secretsmanager put-secret-value --secret-id ${ARN} --secret-string <value>`;
      const hasValue = Object.keys(SecretVersionsToStages).length > 0;
      findings.push(
        hasValue ? ok(`Secrets: ${variable} has a value`) : limits(`Secrets: ${variable} is empty: ${how}`),
      );
    }
  return findings.length > 0 ? findings : [ok('Secrets: the deployment creates them; then give each its value')];
}

/** Returns what no API tells. */
function byHand({ page }: Planned): Finding[] {
  if (!page) return [];
  const words =
    'CloudFront: no API says whether AWS has verified the account. If the deployment fails with “Your account must be ' +
    'verified”, ask AWS Support, and deploy with VIGIL_PAGE=none until then.';
  return [{ verdict: 'unknown', words }];
}

const nameOf = (error: unknown): string => (error as Error).name;
