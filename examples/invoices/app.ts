import { App, Stack } from 'aws-cdk-lib';
import { Vigil } from 'vigil/cdk';
import { feedback } from 'vigil/modules/feedback';
import { notices } from 'vigil/modules/notices';
import { schedules } from 'vigil/modules/schedules';

const app = new App();
const stack = new Stack(app, 'Invoices');
new Vigil(stack, 'Agents', {
  agents: './agents',
  tools: ['./tools'],
  modules: [notices(), feedback(), schedules()],
  page: true,
  // The ids of the users whose invoices are chased each Monday. An empty value can be replaced where the app runs.
  variables: { CHASED_USERS: process.env.CHASED_USERS ?? '' },
});
