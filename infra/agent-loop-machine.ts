import { Arn, ArnFormat, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { Policy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import {
  type CfnStateMachine,
  DefinitionBody,
  LogLevel,
  StateMachine,
  StateMachineType,
} from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import type { Tool } from '../core/tool';
import { agentLoop } from '../statemachines/agent-loop';
import type { VigilFunction } from './vigil-function';

export interface AgentLoopMachineProps {
  tools: Tool[];
  /** Every function that the definition names, by the placeholder that stands for its ARN. */
  functions: Record<string, VigilFunction>;
}

/** The state machine that runs the agents. It may invoke its own functions and start its own next segment, nothing else. */
export class AgentLoopMachine extends Construct {
  readonly arn: string;
  private readonly executions: string;

  constructor(scope: Construct, id: string, { tools, functions }: AgentLoopMachineProps) {
    super(scope, id);
    const arns = Object.fromEntries(
      Object.entries(functions).map(([placeholder, fn]) => [placeholder, fn.functionArn]),
    );
    const machine = new StateMachine(this, 'StateMachine', {
      stateMachineType: StateMachineType.STANDARD,
      definitionBody: DefinitionBody.fromString(JSON.stringify(agentLoop(tools))),
      definitionSubstitutions: arns,
      tracingEnabled: true,
      logs: {
        // Logs of this prefix share one resource policy, which AWS limits in size.
        destination: new LogGroup(this, 'Log', {
          logGroupName: `/aws/vendedlogs/states/${Stack.of(this).stackName}-AgentLoop`,
          retention: RetentionDays.ONE_MONTH,
          removalPolicy: RemovalPolicy.DESTROY,
        }),
        level: LogLevel.ALL,
        // Payloads are ids, but an error's cause may quote somebody's words: those stay in the table.
        includeExecutionData: false,
      },
    });
    (machine.node.defaultChild as CfnStateMachine).overrideLogicalId('AgentLoop');
    machine.addToRolePolicy(
      new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: Object.values(arns) }),
    );
    this.arn = machine.stateMachineArn;
    this.executions = Arn.format(
      {
        service: 'states',
        resource: 'execution',
        arnFormat: ArnFormat.COLON_RESOURCE_NAME,
        resourceName: `${machine.stateMachineName}:*`,
      },
      Stack.of(this),
    );
    // Apart from the role's own policy, on which the machine depends: it cannot depend on the machine in turn.
    new Policy(this, 'ContinueAsNew', {
      roles: [machine.role],
      statements: [new PolicyStatement({ actions: ['states:StartExecution'], resources: [this.arn] })],
    });
    Validations.of(machine).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'The actions for log delivery and for X-Ray know no resources.',
    });
  }

  grantStart(fn: VigilFunction): void {
    this.allow(fn, 'Start', 'states:StartExecution', this.arn);
  }

  grantStop(fn: VigilFunction): void {
    const policy = this.allow(fn, 'Stop', 'states:StopExecution', this.executions);
    Validations.of(policy).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:execution:<AgentLoop.Name>:*]',
      reason: 'Any execution of this one state machine.',
    });
  }

  /** A task token belongs to an execution, yet the right to answer it is asked of the state machine. */
  grantAnswer(fn: VigilFunction): void {
    this.allow(fn, 'Answer', 'states:SendTaskSuccess', this.arn);
  }

  /** In policies of their own, since a function that the machine invokes exists before the machine. */
  private allow(fn: VigilFunction, verb: string, action: string, resource: string): Policy {
    return new Policy(this, `${fn.node.id}May${verb}`, {
      roles: [fn.role],
      statements: [new PolicyStatement({ actions: [action], resources: [resource] })],
    });
  }
}
