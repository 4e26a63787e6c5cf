import { Duration } from 'aws-cdk-lib';
import { HeadersFrameOption, HeadersReferrerPolicy, ResponseHeadersPolicy } from 'aws-cdk-lib/aws-cloudfront';
import type { Construct } from 'constructs';
import { nameInAllRegions } from '../names';

/**
 * The security headers of the page. It may run and show its own files and connect to the addresses that it needs.
 * Nothing inline, nothing from other sites and no frames: what a model writes stays text and cannot send data out. The
 * local cloud sends the same policy.
 */
export function pageHeaders(scope: Construct, { connectTo }: { connectTo: string[] }): ResponseHeadersPolicy {
  const contentSecurityPolicy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self'",
    "manifest-src 'self'",
    `connect-src ${["'self'", ...connectTo].join(' ')}`,
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
