import { GetAccountCommand, GetEmailIdentityCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import { type ClientConfig, type Finding, fails, limits, ok, unless } from '../../infra/preflight/finding';

/** Returns whether the account may send e-mail from an address. */
export async function checkSender(config: ClientConfig, mailFrom: string): Promise<Finding[]> {
  const ses = new SESv2Client(config);
  const { ProductionAccessEnabled, SendingEnabled } = await ses.send(new GetAccountCommand({}));
  const findings: Finding[] = [];
  if (SendingEnabled === false) findings.push(fails('SES: sending is paused for this account: see its console.'));
  if (!ProductionAccessEnabled)
    findings.push(
      limits('SES: the account is in the sandbox, which sends to verified addresses only: ask for production access.'),
    );
  const isVerified = async (EmailIdentity: string) => {
    const found = await unless('NotFoundException', ses.send(new GetEmailIdentityCommand({ EmailIdentity })));
    return found?.VerifiedForSendingStatus === true;
  };
  if ((await isVerified(mailFrom)) || (await isVerified(mailFrom.split('@').at(-1)!)))
    findings.push(ok(`SES: ${mailFrom} is verified`));
  else findings.push(limits(`SES: neither ${mailFrom} nor its domain is verified, so no e-mail is sent: verify one.`));
  return findings;
}
