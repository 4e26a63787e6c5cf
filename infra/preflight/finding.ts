import type { LambdaClientConfig } from '@aws-sdk/client-lambda';

/** The configuration of a client, whatever its service. */
export type ClientConfig = Pick<LambdaClientConfig, 'region' | 'maxAttempts' | 'endpoint' | 'credentials'> & {
  region: string;
};

/** A question about the account. */
export interface AccountCheck {
  /** What it is about, such as `SES`. */
  service: string;
  /** Asks AWS, and changes nothing. */
  ask(): Promise<Finding[]>;
}

/** A finding on what a deployment needs of its account. `fails`: it would fail. `limits`: it would work, with less than it should. */
export interface Finding {
  verdict: 'ok' | 'fails' | 'limits' | 'unknown';
  words: string;
}

export const ok = (words: string): Finding => ({ verdict: 'ok', words });
export const fails = (words: string): Finding => ({ verdict: 'fails', words });
export const limits = (words: string): Finding => ({ verdict: 'limits', words });

/** Returns the answer of AWS, or undefined if it is the error that says that there is no such thing. */
export const unless = <Answer>(missing: string, asked: Promise<Answer>): Promise<Answer | undefined> =>
  asked.catch((error: Error) => {
    if (error.name === missing) return undefined;
    throw error;
  });
