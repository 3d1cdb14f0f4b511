#pragma once
// jpeglib.h is not complete by itself: "must include stdio.h before".
#include <stdio.h>
#include <jpeglib.h>
#include <jerror.h>
