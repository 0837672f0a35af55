import {
  type OperatorNow,
  type OperatorSeries,
  type OperatorSeriesRange,
  operatorNowSchema,
  operatorPaths,
  operatorSeriesSchema,
} from '#contract';
import { callApi } from '#web/lib/api.ts';

/** The points of the charts. @throws ApiError */
export function fetchSeries(range: OperatorSeriesRange, signal: AbortSignal): Promise<OperatorSeries> {
  return callApi('GET', `${operatorPaths.series}?range=${range}`, operatorSeriesSchema, { signal });
}

/** Ends a pause of the calls to the image provider. @throws ApiError */
export function tryProvider(reason: string): Promise<OperatorNow> {
  return callApi('POST', operatorPaths.tryProvider, operatorNowSchema, { body: { reason } });
}
