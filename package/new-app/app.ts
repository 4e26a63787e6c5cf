import { App, Stack } from 'aws-cdk-lib';
import { Vigil } from 'vigil/cdk';
import { feedback } from 'vigil/modules/feedback';
import { notices } from 'vigil/modules/notices';

const app = new App();
const stack = new Stack(app, 'MyAgents');
new Vigil(stack, 'Agents', {
  agents: './agents',
  tools: ['./tools'],
  modules: [notices(), feedback()],
  page: true,
});
