// SPDX-License-Identifier: MIT
#include "contact/response/rigid_push.h"

static void Count( gelRigidSide side, int change )
{
	if ( side.touch ) side.touch->lackCount += change;
}

bool gelCountLacks( gelRigidPush* first )
{
	bool isAny = false;
	for ( gelRigidPush* p = first; p != NULL; p = p->next )
	{
		bool hadLack = p->lack > 0.0f;
		p->lack = p->invMass > 0.0f ? p->floor - gelRigidPush_GetMove( p ) : 0.0f;
		if ( !( p->lack > p->leastLack ) ) p->lack = 0.0f;
		int change = ( p->lack > 0.0f ) - hadLack;
		Count( p->a, change );
		Count( p->b, change );
		isAny = isAny || p->lack > 0.0f;
	}
	return isAny;
}

void gelPushRigid( gelRigidPush* first )
{
	for ( int round = 0; round < GEL_PUSH_ROUNDS && gelCountLacks( first ); ++round )
	{
		for ( const gelRigidPush* p = first; p != NULL; p = p->next )
		{
			if ( p->lack > 0.0f ) gelShareLack( p->a, p->b, p->normal, p->lack, p->invMass );
		}
	}
}
