import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../language/json';

/** Returns the fields that an optimised integration adds to a service's answer. */
export function sdkMetadata(headers: Record<string, string>, status = 200): JsonObject {
  const requestId = headers['x-amzn-RequestId'] ?? randomUUID();
  const all = { ...headers, 'x-amzn-RequestId': requestId, Connection: 'keep-alive', Date: new Date().toUTCString() };
  return {
    SdkHttpMetadata: {
      AllHttpHeaders: Object.fromEntries(Object.entries(all).map(([name, value]) => [name, [value]])),
      HttpHeaders: all,
      HttpStatusCode: status,
    },
    SdkResponseMetadata: { RequestId: requestId },
  };
}
