import { Fn, Validations } from 'aws-cdk-lib';
import {
  AllowedMethods,
  CachePolicy,
  Distribution,
  OriginRequestPolicy,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin, S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { Construct } from 'constructs';
import { PageFiles } from './page-files';
import { pageHeaders } from './page-headers';
import { anyPath, withoutApi } from './page-paths';
import type { UserDirectory } from './user-directory';

export interface PageProps {
  /** Of the built page. */
  folder: string;
  users: UserDirectory;
  apiUrl: string;
  liveUrl: string;
}

/**
 * The page, hosted. Its origin has the HTTP API too, under `/api`: as on a laptop, page and API are one origin to the browser.
 * The API's CORS could not name the page: what the page may connect to is in its headers, so it comes after the API.
 */
export class Page extends Construct {
  readonly url: string;

  constructor(scope: Construct, id: string, { folder, users, apiUrl, liveUrl }: PageProps) {
    super(scope, id);
    const files = new PageFiles(this, 'Files');
    const domain = users.openSignInPages();
    const responseHeadersPolicy = pageHeaders(this, { connectTo: [liveUrl, domain] });
    const distribution = new Distribution(this, 'Distribution', {
      comment: 'Vigil: the page, and the HTTP API under /api',
      defaultRootObject: 'index.html',
      defaultBehavior: {
        origin: S3BucketOrigin.withOriginAccessControl(files.bucket),
        viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
        functionAssociations: [anyPath(this)],
        responseHeadersPolicy,
      },
      additionalBehaviors: {
        '/api/*': {
          origin: new HttpOrigin(Fn.select(1, Fn.split('://', apiUrl))),
          viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
          allowedMethods: AllowedMethods.ALLOW_ALL,
          cachePolicy: CachePolicy.CACHING_DISABLED,
          // The token, the query and the body as they are; API Gateway answers to its own name only.
          originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
          functionAssociations: [withoutApi(this)],
          responseHeadersPolicy,
        },
      },
    });
    this.url = `https://${distribution.domainName}`;
    const clientId = users.addPage(this.url);
    files.deploy({ folder, config: { mode: 'cognito', issuer: users.issuer, clientId, domain, apiUrl: '/api' } });

    Validations.of(distribution).acknowledge(
      { id: 'AwsSolutions-CFR1', reason: 'Where its users are is the operator’s to say.' },
      {
        id: 'AwsSolutions-CFR2',
        reason: 'Files that anybody may have, and an API that is throttled and asks for a token.',
      },
      {
        id: 'AwsSolutions-CFR3',
        reason: 'The API’s own access log has each call with the user’s id; the files are public.',
      },
      {
        id: 'AwsSolutions-CFR4',
        reason: 'CloudFront’s own certificate allows no other; with a domain of one’s own it is set.',
      },
    );
  }
}
