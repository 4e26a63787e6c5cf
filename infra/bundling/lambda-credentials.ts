/**
 * Replaces `@aws-sdk/credential-provider-node` in the bundles. The original looks for credentials in eight places and
 * has a client for each; Lambda puts them into the environment. The replacement makes every bundle 100 KB smaller.
 */
export const defaultProvider = () => async () => {
  const {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
  } = process.env;
  if (!accessKeyId || !secretAccessKey) {
    throw new Error('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set: Lambda sets them for every function.');
  }
  return { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
};
