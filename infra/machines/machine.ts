import { Arn, ArnFormat, Stack, Validations } from 'aws-cdk-lib';
import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { Policy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import {
  type CfnStateMachine,
  DefinitionBody,
  LogLevel,
  StateMachine,
  StateMachineType,
} from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import type { StateMachineDefinition } from '../../statemachines/states';
import { vendedLogGroup } from '../functions/log-group';
import { OwnRole } from '../functions/own-role';
import type { VigilFunction } from '../functions/vigil-function';

export interface MachineProps {
  definition: StateMachineDefinition;
  /** The functions that the definition may name, by the placeholder of their ARN. */
  functions: Record<string, VigilFunction>;
}

/** The functions that machines invoke. */
const states = new WeakSet<VigilFunction>();

/** A state machine. It may invoke the functions of its definition, and start its own executions, if the definition does, nothing else. */
export class Machine extends Construct {
  readonly arn: string;
  /** Counts executions that failed. One that was stopped has not failed, and none can time out. */
  readonly failed: Metric;
  private readonly name: string;

  constructor(scope: Construct, id: string, { definition, functions }: MachineProps) {
    super(scope, id);
    const text = JSON.stringify(definition);
    const named = Object.entries(functions).filter(([placeholder]) => text.includes(`\${${placeholder}}`));
    for (const [, fn] of named) states.add(fn);
    const arns = Object.fromEntries(named.map(([placeholder, fn]) => [placeholder, fn.functionArn]));
    const role = new OwnRole(this, 'Role', 'states.amazonaws.com');
    const machine = new StateMachine(this, 'StateMachine', {
      role,
      definitionBody: DefinitionBody.fromString(text),
      definitionSubstitutions: { ...arns, Partition: Stack.of(this).partition },
      // The default, but written out: CloudFormation replaces a machine whose type comes or goes, and all its executions end.
      stateMachineType: StateMachineType.STANDARD,
      tracingEnabled: true,
      logs: {
        destination: vendedLogGroup(this, 'Log', 'states', id),
        level: LogLevel.ALL,
        // Payloads are ids, but the cause of an error may quote a user's words, which must stay in the table.
        includeExecutionData: false,
      },
    });
    (machine.node.defaultChild as CfnStateMachine).overrideLogicalId(id);
    role.addToPolicy(
      new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [...new Set(Object.values(arns))] }),
    );
    this.arn = machine.stateMachineArn;
    this.name = machine.stateMachineName;
    this.failed = machine.metricFailed();
    // A separate policy: the machine depends on its role, which therefore cannot name the machine.
    if (text.includes('states:startExecution'))
      new Policy(this, 'ContinueAsNew', {
        roles: [role],
        statements: [new PolicyStatement({ actions: ['states:StartExecution'], resources: [this.arn] })],
      });
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'The actions for log delivery and for X-Ray do not support resources.',
    });
  }

  grantStart(...functions: VigilFunction[]): void {
    for (const fn of functions) this.allow(fn, 'states:StartExecution', this.arn);
  }

  grantStop(...functions: VigilFunction[]): void {
    for (const fn of functions) this.allowOnExecutions(fn, 'states:StopExecution');
  }

  grantFind(fn: VigilFunction): void {
    this.allowOnExecutions(fn, 'states:DescribeExecution');
  }

  /** The right to read how an execution has gone. It names no rows, and its data are ids. */
  grantHistory(fn: VigilFunction): void {
    this.allowOnExecutions(fn, 'states:GetExecutionHistory');
  }

  /** A task token belongs to an execution, but IAM checks the right to answer it on the state machine. */
  grantAnswer(...functions: VigilFunction[]): void {
    for (const fn of functions) this.allow(fn, 'states:SendTaskSuccess', this.arn);
  }

  private get stack(): Stack {
    return Stack.of(this);
  }

  private allowOnExecutions(fn: VigilFunction, action: string): void {
    const { stack } = this;
    const executions = Arn.format(
      {
        service: 'states',
        resource: 'execution',
        arnFormat: ArnFormat.COLON_RESOURCE_NAME,
        resourceName: `${this.name}:*`,
      },
      stack,
    );
    Validations.of(this.allow(fn, action, executions)).acknowledge({
      id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:execution:<${this.node.id}.Name>:*]`,
      reason: 'Any execution of this one state machine.',
    });
  }

  /** Allows it in the function's role, or, if a machine invokes the function, in a policy: the role must exist before the machine. */
  private allow(fn: VigilFunction, action: string, resource: string): Construct {
    const statement = new PolicyStatement({ actions: [action], resources: [resource] });
    if (states.has(fn)) return new Policy(this, `Of${fn.node.id}`, { roles: [fn.role], statements: [statement] });
    fn.role.addToPolicy(statement);
    return fn.role;
  }
}
