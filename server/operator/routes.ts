import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import type { Slots } from '#server/uploads/slots.ts';
import { operatorActionRoutes } from './action-routes.ts';
import { operatorBannerRoutes } from './banner-routes.ts';
import { operatorCostRoutes } from './cost-routes.ts';
import { operatorDailyLimitRoutes } from './daily-limit-routes.ts';
import { operatorDataRequestRoutes } from './data-request-routes.ts';
import { operatorGenerationActionRoutes } from './generation-action-routes.ts';
import { operatorGenerationRoutes } from './generation-routes.ts';
import { operatorGuard } from './guard.ts';
import { operatorNowRoutes } from './now-routes.ts';
import { operatorOutboxRoutes } from './outbox-routes.ts';
import { operatorPhotoRoutes } from './photo-routes.ts';
import { operatorQueueBoard } from './queue-board.ts';
import { operatorQueueRoutes } from './queue-routes.ts';
import { operatorRefusalRoutes } from './refusal-routes.ts';
import { operatorSellerActionRoutes } from './seller-action-routes.ts';
import { operatorSellerRoutes } from './seller-routes.ts';

/** Everything under `/api/operator` (docs/decisions/0071-operators.md). */
export async function operatorRoutes(
  app: App,
  { context, downloads }: { context: ServerContext; downloads: Slots },
) {
  await app.register(operatorGuard, { context });
  await operatorActionRoutes(app, { context });
  await operatorNowRoutes(app, { context });
  await operatorCostRoutes(app, { context });
  await operatorQueueRoutes(app, { context });
  await operatorQueueBoard(app, { context });
  await operatorOutboxRoutes(app, { context });
  await operatorBannerRoutes(app, { context });
  await operatorGenerationRoutes(app, { context });
  await operatorGenerationActionRoutes(app, { context });
  await operatorPhotoRoutes(app, { context });
  await operatorSellerRoutes(app, { context });
  await operatorSellerActionRoutes(app, { context });
  await operatorDataRequestRoutes(app, { context, downloads });
  await operatorDailyLimitRoutes(app, { context });
  await operatorRefusalRoutes(app, { context });
}
