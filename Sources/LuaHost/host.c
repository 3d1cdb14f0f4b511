#include "LuaHost.h"
