import { type DataExport, dataExportSchema, type ExportData, paths } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Asks for a ZIP of all data of the seller. @returns its address, which works for a minute @throws ApiError */
export function exportData(body: ExportData): Promise<DataExport> {
  return callApi('POST', paths.export, dataExportSchema, { body });
}
