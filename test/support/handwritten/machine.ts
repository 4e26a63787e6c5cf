/**
 * For tests: a state machine `id` with a role that may invoke `lambda`. `${Function}` in the definition is that
 * function.
 */
export function machineResources(id: string, definition: object, lambda?: string): Record<string, object> {
  const arn = { 'Fn::GetAtt': [lambda, 'Arn'] };
  const Statement = lambda ? [{ Effect: 'Allow', Action: 'lambda:InvokeFunction', Resource: arn }] : [];
  const Policies = [{ PolicyName: 'Invoke', PolicyDocument: { Statement } }];
  return {
    [`${id}Role`]: { Type: 'AWS::IAM::Role', Properties: { AssumeRolePolicyDocument: {}, Policies } },
    [id]: {
      Type: 'AWS::StepFunctions::StateMachine',
      Properties: {
        DefinitionString: JSON.stringify(definition),
        ...(lambda ? { DefinitionSubstitutions: { Function: arn } } : {}),
        RoleArn: { 'Fn::GetAtt': [`${id}Role`, 'Arn'] },
      },
    },
  };
}
