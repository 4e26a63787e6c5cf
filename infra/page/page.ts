import { Duration, Fn, Validations } from 'aws-cdk-lib';
import {
  AllowedMethods,
  CachePolicy,
  Function as CloudFrontFunction,
  Distribution,
  type FunctionAssociation,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HeadersFrameOption,
  HeadersReferrerPolicy,
  OriginRequestPolicy,
  ResponseHeadersPolicy,
  S3OriginAccessControl,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin, S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { Construct } from 'constructs';
import { nameInAllRegions } from '../names';
import type { Domain } from './domain';
import { PageFiles } from './page-files';
import type { Theme } from './theme';
import type { PageSignIn } from './users';

/**
 * Serves the page for any path that names no file. Error pages of the distribution would also replace the API's 404
 * responses.
 */
const anyPath = (scope: Construct): FunctionAssociation =>
  onRequest(scope, 'AnyPath', "if (!uri.split('/').pop().includes('.')) request.uri = '/index.html';");

/** Removes `/api`, which the API does not know. */
const withoutApi = (scope: Construct): FunctionAssociation =>
  onRequest(scope, 'WithoutApi', "request.uri = uri.slice('/api'.length);");

/** https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/functions-javascript-runtime-20.html */
function onRequest(scope: Construct, id: string, statement: string): FunctionAssociation {
  const lines = ['const request = event.request;', 'const uri = request.uri;', statement, 'return request;'];
  const code = FunctionCode.fromInline(`function handler(event) {\n  ${lines.join('\n  ')}\n}\n`);
  const functionName = nameInAllRegions(scope, id, 64);
  const made = new CloudFrontFunction(scope, id, { functionName, code, runtime: FunctionRuntime.JS_2_0 });
  return { function: made, eventType: FunctionEventType.VIEWER_REQUEST };
}

/**
 * The security headers of the page. It may run and show its own files, show and play those of the bucket, and connect to
 * the addresses that it needs. Nothing inline, nothing from other sites and no frames: what a model writes stays text and
 * cannot send data out. The local cloud sends the same policy.
 */
function pageHeaders(
  scope: Construct,
  { connectTo, filesFrom }: { connectTo: string[]; filesFrom: string },
): ResponseHeadersPolicy {
  const contentSecurityPolicy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    `img-src 'self' ${filesFrom}`,
    `media-src ${filesFrom}`,
    "manifest-src 'self'",
    `connect-src ${["'self'", filesFrom, ...connectTo].join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  const override = true;
  return new ResponseHeadersPolicy(scope, 'Headers', {
    responseHeadersPolicyName: nameInAllRegions(scope, 'page', 128),
    comment: 'Vigil: what the page may do',
    securityHeadersBehavior: {
      contentSecurityPolicy: { contentSecurityPolicy, override },
      contentTypeOptions: { override },
      frameOptions: { frameOption: HeadersFrameOption.DENY, override },
      referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.NO_REFERRER, override },
      strictTransportSecurity: { accessControlMaxAge: Duration.days(730), includeSubdomains: true, override },
    },
    customHeadersBehavior: {
      customHeaders: [
        { header: 'cross-origin-opener-policy', value: 'same-origin', override },
        { header: 'permissions-policy', value: 'camera=(), geolocation=(), microphone=()', override },
      ],
    },
  });
}

export interface PageProps {
  /** The folder of the built page. */
  folder: string;
  signIn: PageSignIn;
  /** A name of the app's own, with its certificate. */
  domain?: Domain;
  /** The web application firewall of the distribution. */
  webAclArn?: string;
  theme?: Theme;
  apiUrl: string;
  liveUrl: string;
  /** The origin of the files' signed addresses. */
  filesOrigin: string;
}

/**
 * The errors that CloudFront would keep for 10 seconds, by address alone: one user's 404 of the API would be another
 * user's answer, and a 503 would outlast its cause.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/custom-error-pages-expiration.html
 */
const keptErrors = [400, 403, 404, 405, 414, 500, 501, 502, 503, 504];

/**
 * The hosted page. Its origin also has the HTTP API under `/api`, so both are one origin to the browser, as on a
 * laptop. CORS is not an option: the page's headers name the API, so the page is created after it.
 */
export class Page extends Construct {
  readonly url: string;
  /** The target of the DNS record of an own domain. */
  readonly target: string;

  constructor(scope: Construct, id: string, props: PageProps) {
    super(scope, id);
    const { folder, signIn, apiUrl, liveUrl, filesOrigin, domain: own, webAclArn, theme } = props;
    const files = new PageFiles(this, 'Files');
    const responseHeadersPolicy = pageHeaders(this, {
      connectTo: [liveUrl, ...signIn.origins],
      filesFrom: filesOrigin,
    });
    const distribution = new Distribution(this, 'Distribution', {
      comment: 'Vigil: the page, and the HTTP API under /api',
      defaultRootObject: 'index.html',
      webAclId: webAclArn,
      errorResponses: keptErrors.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
      ...(own && { domainNames: [own.name], certificate: own.certificate }),
      defaultBehavior: {
        origin: S3BucketOrigin.withOriginAccessControl(files.bucket, { originAccessControl: this.onlyThis() }),
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
          // Forwards the token, the query and the body unchanged. API Gateway accepts only its own host name.
          originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
          functionAssociations: [withoutApi(this)],
          responseHeadersPolicy,
        },
      },
    });
    this.target = distribution.domainName;
    this.url = `https://${own?.name ?? distribution.domainName}`;
    files.deploy({ folder, theme, config: { ...signIn.configOf(this.url), apiUrl: '/api' } });

    Validations.of(distribution).acknowledge(
      { id: 'AwsSolutions-CFR1', reason: 'Geographic restrictions are the operator’s choice.' },
      {
        id: 'AwsSolutions-CFR2',
        reason: 'The files are public, and the API is throttled and requires a token.',
      },
      {
        id: 'AwsSolutions-CFR3',
        reason: 'The API’s access log records each call with the user’s id; the files are public.',
      },
      {
        id: 'AwsSolutions-CFR4',
        reason: 'CloudFront’s default certificate does not allow a minimum TLS version; a custom domain does.',
      },
    );
  }
  /** Only this distribution may read the bucket. */
  private onlyThis(): S3OriginAccessControl {
    return new S3OriginAccessControl(this, 'OnlyThis', {
      originAccessControlName: nameInAllRegions(this, 'page', 64),
    });
  }
}
