import type { ICertificate } from 'aws-cdk-lib/aws-certificatemanager';

/** A name of the app's own. Its DNS record is the app's, too: an output of the stack says what it points to. */
export interface Domain {
  /** As in `agents.example.com`. */
  readonly name: string;
  /** For the page in us-east-1, as CloudFront requires; for the API in the stack's region. */
  readonly certificate: ICertificate;
}
