import fs from 'node:fs';
import path from 'node:path';
import { features } from '../test/features';
import { actions } from './api/actions';
import type { Engine } from './engine/engine';
import { parseResource } from './execution/task-resource';
import { integrations } from './integrations/registry';
import { choiceOperators } from './language/choice-operators';
import { intrinsicFunctions } from './language/intrinsics/intrinsic-functions';
import { stateTypes } from './states/compile';

const named = (area: string, supported: boolean) =>
  features
    .filter((feature) => feature.area === area && (feature.supported !== 'no') === supported)
    .map(({ name }) => name);

describe('the feature table', () => {
  test('lists the types of states that can be compiled', () => {
    expect(named('State', true).sort()).toEqual(Object.keys(stateTypes).sort());
  });

  test('lists the actions that the API answers, and no other', () => {
    expect(named('API', true).sort()).toEqual(Object.keys(actions).sort());
    for (const name of named('API', false)) expect(actions[name]).toBeUndefined();
  });

  test('lists the integrations that there are, and names some that there are not', () => {
    const never = () => Promise.reject(new Error('not called'));
    const find = integrations(never, never, actions);
    const resource = (name: string) => {
      if (name === 'Lambda function ARN') return 'arn:aws:lambda:us-east-1:123456789012:function:f';
      if (/^aws-sdk:\w+$/.test(name)) return `arn:aws:states:::${name}:action`;
      return `arn:aws:states:::${name}`;
    };
    const found = (name: string) =>
      name === 'activity' || find({} as Engine, parseResource(resource(name))!) !== undefined;
    for (const name of named('Integration', true)) expect([name, found(name)]).toEqual([name, true]);
    for (const name of named('Integration', false)) expect([name, found(name)]).toEqual([name, false]);
  });

  test('counts: 18 intrinsic functions, 39 comparison operators', () => {
    expect(Object.keys(intrinsicFunctions)).toHaveLength(18);
    const byPath = Object.values(choiceOperators).filter((operator) => operator.path).length;
    expect(Object.keys(choiceOperators).length + byPath).toBe(39);
  });

  test('stands in the README, row by row', () => {
    const readme = fs.readFileSync(path.join(__dirname, '../README.md'), 'utf8');
    for (const { name, note } of features) {
      expect(readme).toContain(`\`${name}\``);
      if (note !== undefined) expect(readme).toContain(note);
    }
  });
});
