import { App, Stack } from 'aws-cdk-lib';
import { Vigil } from 'vigil/cdk';

const app = new App();
const stack = new Stack(app, 'MyAgents');
new Vigil(stack, 'Agents', {
  agents: './agents',
  tools: ['./tools'],
  page: true,
});
