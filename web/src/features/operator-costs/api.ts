import { type OperatorCosts, type OperatorCostsDays, operatorCostsSchema, operatorPaths } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** What the calls to the image provider cost. @throws ApiError */
export function fetchCosts(days: OperatorCostsDays, signal: AbortSignal): Promise<OperatorCosts> {
  return callApi('GET', `${operatorPaths.costs}?days=${days}`, operatorCostsSchema, { signal });
}
