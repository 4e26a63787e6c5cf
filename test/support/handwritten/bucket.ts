import { accessSecret } from '../../../local/deployment';
import { openPrincipals } from '../../../local/iam/principals';
import type { Credentials } from '../../../local/lambda/environment';
import { lambdaResources } from './assembly';

/**
 * A bucket `Files`, a function `Keeper` that may read, write and delete its files, `Reader`, which may only read them, and
 * `Stranger`, which may do nothing.
 */
export function bucketResources(): Record<string, object> {
  const objects = { 'Fn::Join': ['', [{ 'Fn::GetAtt': ['Files', 'Arn'] }, '/files/*']] };
  const on = (Resource: unknown, ...Action: string[]) => ({ Effect: 'Allow', Action, Resource });
  const list = on({ 'Fn::GetAtt': ['Files', 'Arn'] }, 's3:ListBucket');
  return {
    ...lambdaResources('Keeper', {
      statements: [on(objects, 's3:GetObject', 's3:PutObject', 's3:DeleteObject'), list],
    }),
    ...lambdaResources('Reader', { statements: [on(objects, 's3:GetObject')] }),
    ...lambdaResources('Stranger'),
    Files: {
      Type: 'AWS::S3::Bucket',
      Properties: {
        CorsConfiguration: {
          CorsRules: [
            {
              AllowedOrigins: ['https://*.example.com'],
              AllowedMethods: ['PUT'],
              AllowedHeaders: ['content-type', 'x-amz-checksum-sha256'],
              MaxAge: 60,
            },
          ],
        },
      },
    },
  };
}

export const bucketFunctions = Object.fromEntries(
  ['Keeper', 'Reader', 'Stranger'].map((id) => [id, 'exports.handler = async () => undefined;']),
);
export const bucketName = 'small-files';

/** Returns the keys of a function, as the local cloud gives them to it. */
export function keysOf(id: string, stateDirectory: string): Credentials {
  const lambda = { ref: `Small-${id}`, properties: { Role: '' } } as never;
  return openPrincipals([lambda], accessSecret(stateDirectory)).credentialsOf(lambda);
}
