import { App, Stack } from 'aws-cdk-lib';
import { Vigil } from 'vigil/cdk';

const app = new App();
const stack = new Stack(app, 'MyAgents', { terminationProtection: true });
new Vigil(stack, 'Agents', {
  agents: './agents',
  tools: ['./tools'],
  page: true,
});
