import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Token } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { ConfigurationError } from '../../core/base/text/errors';
import { root } from '../bundling/entries';
import type { VigilProps } from '../vigil-props';
import { Page } from './page';
import type { Users } from './users';

/**
 * Returns the folder of the built page to host: that of Vigil's own page, or another one.
 *
 * @throws ConfigurationError if the page is not built.
 */
function builtPage(page: boolean | string = false): string | undefined {
  if (page === false) return undefined;
  const folder = page === true ? join(root, 'web/dist') : resolve(page);
  if (existsSync(join(folder, 'index.html'))) return folder;
  const how = page === true ? 'run npx vite build web, or deploy without it (VIGIL_PAGE=none)' : 'build it first';
  throw new ConfigurationError(`The page is not built: ${folder} has no index.html: ${how}.`);
}

export interface HostedPageProps {
  props: Pick<VigilProps, 'page' | 'domain' | 'waf' | 'theme'>;
  users: Users;
  apiUrl: string;
  liveUrl: string;
  filesOrigin: string;
}

/**
 * Creates the page, if the app hosts one.
 *
 * @throws ConfigurationError that names the prop.
 */
export function hostedPage(scope: Construct, { props, users, ...addresses }: HostedPageProps): Page | undefined {
  // `vigil start` serves the page itself.
  if (scope.node.tryGetContext('vigil:page') === 'none') return undefined;
  const { page, domain = {}, waf, theme } = props;
  const folder = builtPage(page);
  if (!folder) {
    const unused = Object.entries({ 'domain.page': domain.page, waf, theme }).find(([, value]) => value)?.[0];
    if (unused) throw new ConfigurationError(`${unused} is for the hosted page: set "page", or leave out "${unused}".`);
    return undefined;
  }
  const signIn = users.forPage?.();
  if (!signIn)
    throw new ConfigurationError(
      'page: the page needs a client to sign in with: set "auth.page", or leave out "auth".',
    );
  const webAclArn = waf && ofCloudFront(waf.webAclArn);
  return new Page(scope, 'Page', { folder, signIn, domain: domain.page, webAclArn, theme, ...addresses });
}

/** CloudFront takes no other, and says so only during the deployment. */
function ofCloudFront(arn: string): string {
  if (Token.isUnresolved(arn) || /^arn:[\w-]+:wafv2:us-east-1:\d{12}:global\/webacl\/./.test(arn)) return arn;
  throw new ConfigurationError(
    `waf.webAclArn is "${arn}": it must be a web ACL of scope CLOUDFRONT, like arn:aws:wafv2:us-east-1:123456789012:global/webacl/name/id.`,
  );
}
