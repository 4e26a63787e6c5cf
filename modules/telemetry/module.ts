import { LambdaClient } from '@aws-sdk/client-lambda';
import { listener, type Module } from '../../core/module';
import { factOf } from './facts';
import { beginTelemetry, tellTelemetry } from './tell';

const tell = tellTelemetry(new LambdaClient({}));

/** Traces by OpenTelemetry's conventions: Telemetry is told what has finished, and sends spans. */
export const inFunctions: Module = {
  name: 'telemetry',
  listeners: tell && [
    listener({
      what: 'a span',
      of(change) {
        const fact = factOf(change);
        return fact ? [{ fact }] : [];
      },
      begin: (facts) => beginTelemetry(tell, facts),
    }),
  ],
};
