import fs from 'node:fs';
import path from 'node:path';
import { actions } from './api/actions';
import type { Engine } from './engine/engine';
import { parseResource } from './execution/task-resource';
import { integrations } from './integrations/registry';
import { choiceOperators } from './language/choice-operators';
import { intrinsicFunctions } from './language/intrinsics/intrinsic-functions';
import { stateTypes } from './states/compile';

const readme = fs.readFileSync(path.join(__dirname, '../README.md'), 'utf8');

/** The names in both columns of an area's row: what is supported, and what is in part or not. */
const named = (area: string): [string[], string[]] => {
  const [, , supported = '', other = ''] = new RegExp(`^\\| ${area} \\|.*$`, 'm').exec(readme)![0].split('|');
  const names = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
  return [names(supported), names(other)];
};

describe('the table of features in the README', () => {
  test('lists the types of states that can be compiled', () => {
    expect(named('State')[0].sort()).toEqual(Object.keys(stateTypes).sort());
  });

  test('lists the actions that the API answers, and no other', () => {
    expect(named('API').flat().sort()).toEqual(Object.keys(actions).sort());
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
    const [supported, other] = named('Integration');
    expect(supported.length).toBeGreaterThan(20);
    expect(supported.filter((name) => !found(name))).toEqual([]);
    expect(other.filter(found)).toEqual([]);
  });

  test('counts: 18 intrinsic functions, 39 comparison operators', () => {
    expect(Object.keys(intrinsicFunctions)).toHaveLength(18);
    const byPath = Object.values(choiceOperators).filter((operator) => operator.path).length;
    expect(Object.keys(choiceOperators).length + byPath).toBe(39);
    expect(readme).toContain('All 18 intrinsic functions, all 39 comparison operators');
  });
});
