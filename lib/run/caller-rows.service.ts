import { Inject, Injectable } from '@nestjs/common';
import type { DataLayerRequest } from '../http/api-request.js';
import type { ResourceModel } from '../model/resource-model.js';
import { ROW_RULES } from '../options/tokens.js';
import type { RowRules } from '../rules/row-rules.js';
import { withRowStates } from '../rules/row-states.js';

/** Determines which rows the rules allow a caller. */
@Injectable()
export class CallerRows {
  constructor(@Inject(ROW_RULES) private readonly rules: RowRules | null) {}

  /**
   * Returns a model with the rows that the rules allow the caller, in place of those that they allow any caller.
   *
   * @throws RuleError for a rule that fails
   */
  async of(model: ResourceModel, request: DataLayerRequest): Promise<ResourceModel> {
    const names = model.resources.map((resource) => resource.model);
    const rules = await this.rules?.rulesFor(names, request);
    return rules ? withRowStates(model, rules) : model;
  }
}
