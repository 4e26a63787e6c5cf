import { LambdaClient } from '@aws-sdk/client-lambda';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SFNClient } from '@aws-sdk/client-sfn';
import { handle } from 'hono/aws-lambda';
import { shipped } from '../agents';
import { hasWebhook, type Provider } from '../core/base/models/provider';
import { connectionsOfUser, fileLimits } from '../core/base/state/user-limits';
import { modules } from '../modules/api';
import { optionalVariable, tableOfDeployment, variable } from '../runtime/environment';
import { filesOfDeployment } from '../runtime/file-store';
import { counts, limits } from '../runtime/limits';
import { logged } from '../runtime/log';
import { secret } from '../runtime/secret';
import { api } from './api/app';
import { developers } from './api/developers';
import { modelsOfForks } from './api/fork-policy';
import { withByteHeaders } from './api/incoming';
import { keptClaims } from './api/kept-claims';
import { placesByEmbed } from './ask-embed';
import { attemptsOf } from './executions';
import { actingAtOnce } from './todos';

const stepFunctions = new SFNClient({});
const { table, carryOut } = actingAtOnce({ client: stepFunctions, table: tableOfDeployment(), registry: shipped });
const secrets = new SecretsManagerClient({});
const webhookKey = secret(secrets, 'WEBHOOK_KEY_SECRET_ARN', 'the key that signs webhooks');

/** Their events are signed with a secret of the provider. */
function providerWebhooks(providers: Iterable<Provider>, client: SecretsManagerClient) {
  const withWebhook = [...providers].filter(hasWebhook);
  return new Map(
    withWebhook.map(({ name, webhookSecret }) => [
      name,
      secret(client, `${webhookSecret}_SECRET_ARN`, `the secret of the webhook of ${name}`).get,
    ]),
  );
}

const serve = handle(
  api({
    table,
    registry: shipped,
    actions: { carryOut, attempts: (run, due) => attemptsOf(stepFunctions, shipped, run, due) },
    webhookKey: webhookKey.get,
    providerWebhooks: providerWebhooks(shipped.providers.values(), secrets),
    files: filesOfDeployment(),
    placesOf: placesByEmbed(new LambdaClient({})),
    fileLimits: () => fileLimits,
    counts,
    limits,
    modelsOfForks: modelsOfForks(shipped),
    keptClaims: keptClaims(),
    machines: optionalVariable('VIGIL_MACHINES') === 'on',
    developers: developers(),
    tokenUse: optionalVariable('VIGIL_TOKEN_USE'),
    modules,
    live: {
      table: tableOfDeployment('LIVE_TABLE_NAME'),
      url: variable('LIVE_URL'),
      connectionsAtMost: connectionsOfUser,
    },
  }),
);

export const handler = logged<Parameters<typeof serve>[0], Awaited<ReturnType<typeof serve>>>((event, context) =>
  serve(withByteHeaders(event), context),
);
