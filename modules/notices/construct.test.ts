import { shipped } from '../../agents';
import { api } from '../../lambdas/api/app';
import { apiDeployment } from '../../test/support/api-deployment';
import { templateWith } from '../../test/support/clouds/template-with';
import { asNobody } from '../../test/support/draw-openapi';
import { rights } from '../../test/support/template-rights';
import { type NoticesProps, notices } from './construct';
import { noticesFrom } from './variables';

const traces = /Notify|Notice|PUSH_KEY|PushKey|VIGIL_PUSH|VIGIL_MAIL|REACH/;

test('an app that does not list it has no trace of it: no resource, variable, right, row or route (R277)', async () => {
  const without = templateWith([]);
  expect(JSON.stringify(without)).not.toMatch(traces);
  const added = templateWith([notices()]);
  const isNew = (id: string) => !Object.hasOwn(without.Resources, id);
  expect(
    Object.keys(added.Resources)
      .filter(isNew)
      .map((id) => added.Resources[id]!.Type)
      .sort(),
  ).toEqual([
    'AWS::IAM::Role',
    'AWS::IAM::Role',
    'AWS::Lambda::Function',
    'AWS::Logs::LogGroup',
    'AWS::Logs::LogGroup',
    'AWS::SecretsManager::Secret',
    'AWS::StepFunctions::StateMachine',
  ]);
  const changed = Object.keys(rights(without)).filter((id) => `${rights(without)[id]}` !== `${rights(added)[id]}`);
  expect(changed.sort()).toEqual(['Api', 'Broadcast']);
  const app = api(apiDeployment({} as never, shipped, { modules: [] }));
  const document = (await (await app.request('/openapi.json', {}, asNobody)).json()) as { paths: object };
  expect(Object.keys(document.paths).filter((path) => /devices|notifications/.test(path))).toEqual([]);
});

test.each<[string, object, string]>([
  ['a sender', { mailFrom: 'nobody' }, 'notices.mailFrom is "nobody": it must be an address such as'],
  ['a misspelt option', { mailfrom: 'a@example.com' }, 'notices: mailfrom: there is no such field'],
  ['an origin that is none', { pushOrigins: [''] }, 'notices: pushOrigins'],
])('a mistake names the option: %s (R154)', (_, given, problem) => {
  expect(() => notices(given as NoticesProps)).toThrow(problem);
});

test('this repository’s app has it, with its variables, or refuses one by its name (R154)', () => {
  expect(noticesFrom({}).map(({ name }) => name)).toEqual(['notices']);
  expect(() => noticesFrom({ VIGIL_MAIL_FROM: 'Vigil <*>' })).toThrow(
    'VIGIL_MAIL_FROM is "Vigil <*>": it must be an address such as vigil@example.com.',
  );
});

test('with an address to send from, Notify may send e-mail from it, and from nothing else (R154)', () => {
  const { Notify } = rights(templateWith(noticesFrom({ VIGIL_MAIL_FROM: 'vigil@example.com' })));
  expect(Notify!.filter((right) => right.startsWith('ses:'))).toEqual(
    ['example.com', 'vigil@example.com'].map(
      (identity) => `ses:SendEmail on arn:AWS::Partition:ses:AWS::Region:AWS::AccountId:identity/${identity}`,
    ),
  );
});
